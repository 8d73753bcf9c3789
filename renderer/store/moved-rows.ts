/** Remembers for a short time from which place a queue row came, because the next decision may follow within milliseconds. */
import type { RequestId } from "../../core/contract/ids";
import type { LiveView } from "../../core/view/view";
import type { MovedRow } from "./live-store";

export const MOVED_SHOWN_MS = 2_000;

export function movedRows(
  before: Readonly<Record<RequestId, MovedRow>>,
  former: LiveView,
  view: LiveView,
): Readonly<Record<RequestId, MovedRow>> {
  if (former.queue === view.queue) return before;
  const moved: Record<RequestId, MovedRow> = {};
  const formerPlaces = new Map(former.queue.map((row) => [row.requestId, row.place]));
  for (const row of view.queue) {
    const place = formerPlaces.get(row.requestId);
    const known = before[row.requestId];
    if (place !== undefined && place !== row.place) moved[row.requestId] = { fromPlace: place, atMs: view.atMs };
    else if (known && view.atMs - known.atMs < MOVED_SHOWN_MS) moved[row.requestId] = known;
  }
  return moved;
}
