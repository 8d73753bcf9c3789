/**
 * What is left of a task, in seconds: the work of all its stages and the longest path through them. Progress follows
 * Graham's bound W/m + (1 - 1/m) * LP (R. L. Graham, 1969), so that every branch of a fan-out counts for something.
 */
import type { RequestId, Seconds, StageId } from "../contract/ids";
import type { SchedulerConfig } from "./config";
import { stepSeconds } from "./cost";
import { requestSeconds, stageSeconds } from "./service";
import type { RequestState, SchedulerState, TaskState } from "./state";

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

/** What is left once the requests in `served` are counted as done. */
export function remaining(
  state: SchedulerState,
  task: TaskState,
  served: ReadonlySet<RequestId>,
  config: SchedulerConfig,
): Remaining {
  const open = openWork(state, task, served, config);
  const workflow = task.workflowId === null ? undefined : state.workflows.get(task.workflowId);
  const pathTo = new Map<StageId, number>();
  let work = open.loose;
  let longestPath = open.looseLongest;
  for (const stage of workflow?.stages ?? []) {
    const progress = task.stages.get(stage.id);
    const calls = (progress?.finished ?? 0) + (progress?.open ?? 0);
    const callsToCome = Math.max(0, stage.expectedCalls - calls);
    const own =
      (open.byStage.get(stage.id) ?? 0) + callsToCome * stageSeconds(state, task.workflowId ?? "", stage, config);
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
  served: ReadonlySet<RequestId>,
  config: SchedulerConfig,
): OpenWork {
  const open: OpenWork = { byStage: new Map(), loose: 0, looseLongest: 0 };
  for (const request of requestsOf(state, task)) {
    if (served.has(request.spec.requestId)) continue;
    const seconds = requestSeconds(state, request, config);
    const { stageId } = request.spec;
    if (stageId !== null && isDeclared(state, task, stageId)) {
      open.byStage.set(stageId, (open.byStage.get(stageId) ?? 0) + seconds);
    } else {
      open.loose += seconds;
      open.looseLongest = Math.max(open.looseLongest, seconds);
    }
  }
  return open;
}

function isDeclared(state: SchedulerState, task: TaskState, stageId: StageId): boolean {
  const workflow = task.workflowId === null ? undefined : state.workflows.get(task.workflowId);
  return workflow?.stages.some((stage) => stage.id === stageId) ?? false;
}

function* requestsOf(state: SchedulerState, task: TaskState): Iterable<RequestState> {
  for (const request of state.requests.values()) if (request.spec.taskId === task.taskId) yield request;
}

export function grahamBound(left: Remaining, speedup: number): Seconds {
  return left.work / speedup + (1 - 1 / speedup) * left.longestPath;
}
