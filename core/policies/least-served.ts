/**
 * Autellix's least attained service (arXiv 2502.13965): the less its program has been served, the sooner a call goes. Service
 * is cut into queues, FCFS inside each, so that close ones do not take turns all the time.
 *
 * The paper gives neither edges nor beta. The edges of a re-implementation, 0/30/90/210 s, are one quantum and its doublings;
 * here a quantum is what a call of average length takes, so that the queues tell programs apart on any machine. Its quantum also
 * demotes a running call; nothing is preempted here, so what a call used counts from the program's next call on.
 */
import type { PolicyName } from "../contract/policy-name";
import { prefillSeconds, stepSeconds } from "../topas/cost";
import type { RequestState, SchedulerState, TaskState } from "../topas/state";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

/** Lower ends of the queues, in quanta. */
const queueEdges = [0, 1, 3, 7] as const;
/** A call goes to the first queue once its program waited so many times as long as it was served (beta). */
const promotionRatio = 4;
const quantumPriorS = 30;

/** What the program is charged for when this call arrives. */
export type AttainedMs = (request: RequestState, task: TaskState) => number;

export function leastServed(name: PolicyName, attainedMs: AttainedMs, goesFirst: string) {
  return rankedPolicy({
    name,
    order(state, waiting) {
      const quantumS = quantumSeconds(state);
      const attainedS = (request: RequestState) => {
        const task = state.tasks.get(request.spec.taskId);
        return task === undefined ? 0 : attainedMs(request, task) / 1000;
      };
      const queueOf = (request: RequestState) =>
        isPromoted(state, request) ? 0 : queueEdges.filter((edge) => edge * quantumS <= attainedS(request)).length - 1;
      return orderBy(waiting, [{ of: queueOf, goesFirst }], (request) => ({ age: -attainedS(request) }));
    },
  });
}

function quantumSeconds(state: SchedulerState): number {
  const mean = state.services.get("all");
  if (mean === undefined) return quantumPriorS;
  const { costs } = state.engine;
  return prefillSeconds(costs, mean.meanTailTokens) + mean.meanOutputTokens * stepSeconds(costs, state.slots.length);
}

/** (W_p + W_c) / (T_p + T_c) >= beta; a program that was never served is in the first queue anyway. */
function isPromoted(state: SchedulerState, request: RequestState): boolean {
  const task = state.tasks.get(request.spec.taskId);
  const waitedMs = (task?.waitedMs ?? 0) + state.nowMs - request.waitingSinceMs;
  const servedMs = (task?.servedMs ?? 0) + request.servedMs;
  return servedMs > 0 && waitedMs / servedMs >= promotionRatio;
}
