/** TOPAS's promise that nobody starves: whoever waits longer than the bound goes first, whatever the score or the user says. */
import type { SchedulerConfig } from "../../topas/config";
import { waitingRequests } from "../../topas/occupancy";
import type { RequestState, SchedulerState } from "../../topas/state";

/** Where tasks take long, so may a wait: the bound follows their mean JCT. */
export function waitBoundMs(state: SchedulerState, config: SchedulerConfig): number {
  return Math.max(config.waitBoundMs, config.waitBoundJctShare * (state.meanJctMs ?? 0));
}

/** The oldest of those that wait longer than the bound. It goes first, and everyone else waits for its room. */
export function overdueRequest(state: SchedulerState, config: SchedulerConfig): RequestState | null {
  const boundMs = waitBoundMs(state, config);
  // A parked one may be old and yet wait since just now.
  return waitingRequests(state).find(({ waitingSinceMs }) => state.nowMs - waitingSinceMs >= boundMs) ?? null;
}
