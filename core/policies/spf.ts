/**
 * Shortest remaining path first: the task whose expected longest path is shortest goes first, whatever is resident. Only what
 * is finished counts as done; it neither ages nor looks at prefixes.
 */
import type { TaskId } from "../contract/ids";
import { estimatesNow } from "../topas/estimates";
import { remaining } from "../topas/path";
import type { RequestState } from "../topas/state";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

export const spf = rankedPolicy({
  name: "spf",
  order(state, waiting, config) {
    const estimates = estimatesNow(state, config);
    const known = new Map<TaskId, number>();
    const secondsLeft = (request: RequestState): number => {
      const { taskId } = request.spec;
      const seen = known.get(taskId);
      if (seen !== undefined) return seen;
      const task = state.tasks.get(taskId);
      const left = task === undefined ? 0 : remaining(state, task, () => false, estimates).longestPath;
      known.set(taskId, left);
      return left;
    };
    return orderBy(waiting, [{ of: secondsLeft, goesFirst: "less is left of its task" }], (request) => ({
      progress: -secondsLeft(request),
    }));
  },
});
