/**
 * Highest response ratio next, as Astraea uses it (arXiv 2512.14142): (W + T) / T with W what the task has waited so far and T
 * what this call needs. Its queues by resource use are left out. The ratio is no number of seconds; W / T stands under `age`.
 */
import { estimatesNow } from "../topas/estimates";
import { requestSeconds } from "../topas/service";
import type { RequestState } from "../topas/state";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

export const hrrn = rankedPolicy({
  name: "hrrn",
  order(state, waiting, config) {
    const { outputOf } = estimatesNow(state, config);
    const ratio = (request: RequestState): number => {
      const needsS = requestSeconds(state, request, outputOf(request));
      const earlierMs = state.tasks.get(request.spec.taskId)?.waitedMs ?? 0;
      return (earlierMs + state.nowMs - request.waitingSinceMs) / 1000 / Math.max(needsS, 1e-6);
    };
    const goesFirst = "it waited longer for what it needs";
    return orderBy(waiting, [{ of: (request) => -ratio(request), goesFirst }], (request) => ({ age: ratio(request) }));
  },
});
