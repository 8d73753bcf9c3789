/**
 * What is left of a task, in seconds: the work of all its stages and the longest path through them. Progress follows
 * Graham's bound W/m + (1 - 1/m) * LP (R. L. Graham, 1969), so that every branch of a fan-out counts for something.
 */
import type { Seconds, StageId } from "../contract/ids";
import { stepSeconds } from "./cost";
import type { Estimates } from "./estimates";
import { requestSeconds } from "./service";
import type { RequestState, SchedulerState, TaskState } from "./state";
import type { Workflow } from "./workflow";

export interface Remaining {
  readonly work: Seconds;
  readonly longestPath: Seconds;
}

/** Seconds each open request of a task needs, by stage; requests without a declared stage stand under null. */
interface OpenWork {
  readonly byStage: Map<StageId, number>;
  loose: number;
  looseLongest: number;
}

/** How much faster the engine is with all slots decoding than with one: m in Graham's bound. */
export function parallelism(state: SchedulerState): number {
  const { costs } = state.engine;
  const slots = Math.max(1, state.slots.length);
  return Math.max(1, (slots * stepSeconds(costs, 1)) / Math.max(stepSeconds(costs, slots), 1e-9));
}

/** What is left once the requests that `isServed` names are counted as done. */
export function remaining(
  state: SchedulerState,
  task: TaskState,
  isServed: (request: RequestState) => boolean,
  estimates: Estimates,
): Remaining {
  const workflow = task.workflowId === null ? undefined : state.workflows.get(task.workflowId);
  const open = openWork(state, task, workflow, isServed, estimates);
  const pathTo = new Map<StageId, number>();
  let work = open.loose;
  let longestPath = open.looseLongest;
  for (const stage of workflow?.stages ?? []) {
    const progress = task.stages.get(stage.id);
    const calls = (progress?.finished ?? 0) + (progress?.open ?? 0);
    const callsToCome = Math.max(0, stage.expectedCalls - calls);
    const toCome = callsToCome === 0 ? 0 : callsToCome * estimates.secondsOf(task.workflowId ?? "", stage);
    const own = (open.byStage.get(stage.id) ?? 0) + toCome;
    const before = Math.max(0, ...stage.after.map((id) => pathTo.get(id) ?? 0));
    pathTo.set(stage.id, before + own);
    work += own;
    longestPath = Math.max(longestPath, before + own);
  }
  return { work, longestPath };
}

function openWork(
  state: SchedulerState,
  task: TaskState,
  workflow: Workflow | undefined,
  isServed: (request: RequestState) => boolean,
  estimates: Estimates,
): OpenWork {
  const open: OpenWork = { byStage: new Map(), loose: 0, looseLongest: 0 };
  for (const request of estimates.openRequestsOf(task.taskId)) {
    if (isServed(request)) continue;
    const seconds = requestSeconds(state, request, estimates.outputOf(request));
    const { stageId } = request.spec;
    if (stageId !== null && workflow?.stages.some((stage) => stage.id === stageId)) {
      open.byStage.set(stageId, (open.byStage.get(stageId) ?? 0) + seconds);
    } else {
      open.loose += seconds;
      open.looseLongest = Math.max(open.looseLongest, seconds);
    }
  }
  return open;
}

export function grahamBound(left: Remaining, speedup: number): Seconds {
  return left.work / speedup + (1 - 1 / speedup) * left.longestPath;
}
