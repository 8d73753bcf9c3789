/**
 * What one more running request costs: every step takes longer for the tasks beside it and for itself, but a shared step
 * makes more tokens in the same time, which the waiting ones gain by. From the calibrated curve; on a large GPU it vanishes.
 */
import type { Seconds, TaskId } from "../../contract/ids";
import { addedStepSeconds, stepSeconds } from "../../topas/cost";
import type { Estimates } from "../../topas/estimates";
import type { RequestState, SchedulerState } from "../../topas/state";

export function slowSeconds(
  state: SchedulerState,
  estimates: Estimates,
  running: readonly RequestState[],
  request: RequestState,
): Seconds {
  const { costs } = state.engine;
  const count = running.length;
  if (count === 0) return 0;
  const longer = addedStepSeconds(costs, count);
  const alone = stepSeconds(costs, 1);
  const steps = estimates.outputOf(request);
  const overlapByTask = new Map<TaskId, number>();
  for (const other of running) {
    const overlap = Math.min(steps, estimates.outputOf(other));
    overlapByTask.set(other.spec.taskId, Math.max(overlap, overlapByTask.get(other.spec.taskId) ?? 0));
  }
  let cost = 0;
  for (const overlap of overlapByTask.values()) cost += overlap * longer;
  const longest = Math.max(...overlapByTask.values());
  if (!overlapByTask.has(request.spec.taskId)) cost += longest * (stepSeconds(costs, count) + longer - alone);
  const waitingBehind = Math.max(0, state.requests.size - count - 1);
  const gained = waitingBehind === 0 ? 0 : waitingBehind * longest * (alone - longer);
  return Math.min(0, gained - cost);
}
