/** Whether something can be done to what is shown: only to the newest moment of a running server. */
import type { LiveState } from "../store/live-store";

export function isLive({ cursor, status }: LiveState): boolean {
  return cursor === null && status.recording === null;
}
