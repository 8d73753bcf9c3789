/**
 * Autellix's least attained service (arXiv 2502.13965): the less its program has been served, the sooner a call goes. Service
 * is cut into queues, FCFS inside each, so that close ones do not take turns all the time.
 *
 * The paper gives neither edges nor beta; both are those of a re-implementation. They are made for tasks of minutes: where a whole
 * task is served in less than the first edge, this is FCFS. Quanta as long as one call, and beta from 2 to 1,000, did better on one
 * simulated workload (dag-4) and worse on two (metagpt-tl, react). The paper also demotes a call that runs; nothing is preempted
 * here, so what a call used counts from its program's next call on.
 */
import type { PolicyName } from "../contract/policy-name";
import type { RequestState, SchedulerState, TaskState } from "../topas/state";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

/** Lower ends of the queues, in seconds of service. */
const queueEdgesS = [0, 30, 90, 210] as const;
/** A call goes to the first queue once its program waited so many times as long as it was served (beta). */
const promotionRatio = 1;

/** What the program is charged for when this call arrives. */
export type AttainedMs = (request: RequestState, task: TaskState) => number;

export function leastServed(name: PolicyName, attainedMs: AttainedMs, goesFirst: string) {
  return rankedPolicy({
    name,
    order(state, waiting) {
      const attainedS = (request: RequestState) => {
        const task = state.tasks.get(request.spec.taskId);
        return task === undefined ? 0 : attainedMs(request, task) / 1000;
      };
      const queueOf = (request: RequestState) =>
        isPromoted(state, request) ? 0 : queueEdgesS.filter((edgeS) => edgeS <= attainedS(request)).length - 1;
      return orderBy(waiting, [{ of: queueOf, goesFirst }], (request) => ({ age: -attainedS(request) }));
    },
  });
}

/** (W_p + W_c) / (T_p + T_c) >= beta; a program that was never served is in the first queue anyway. */
function isPromoted(state: SchedulerState, request: RequestState): boolean {
  const task = state.tasks.get(request.spec.taskId);
  const waitedMs = (task?.waitedMs ?? 0) + state.nowMs - request.waitingSinceMs;
  const servedMs = (task?.servedMs ?? 0) + request.servedMs;
  return servedMs > 0 && waitedMs >= promotionRatio * servedMs;
}
