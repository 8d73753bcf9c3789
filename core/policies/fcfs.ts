/** First come, first served: the oldest request takes the place that reuses most; what was used longest ago goes. */
import type { RequestState, SchedulerState } from "../topas/state";
import { rankedPolicy } from "./ranked-policy";

export const fcfs = rankedPolicy({
  name: "fcfs",
  order: (state, waiting) =>
    waiting.map((request) => ({
      request,
      terms: { age: waitedSeconds(state, request) },
      goesFirst: "it arrived earlier",
    })),
});

/** Since it arrived. */
export function waitedSeconds(state: SchedulerState, request: RequestState): number {
  return (state.nowMs - request.arrivedAtMs) / 1000;
}
