/** Tasks begin with their first request and are kept for a while after they ended, so that the window can show them. */
import type { Milliseconds } from "../contract/ids";
import { namesMax, setBounded } from "./bounded";
import type { EventBody } from "./events";
import type { SchedulerState } from "./state";

type Of<Kind extends EventBody["kind"]> = Extract<EventBody, { kind: Kind }>;

export function evolveTaskStarted(state: SchedulerState, event: Of<"task.started"> & { readonly atMs: number }): void {
  setBounded(state.taskNumbers, event.workflowId ?? "", event.taskNumber, namesMax);
  state.tasks.delete(event.taskId);
  state.tasks.set(event.taskId, {
    taskId: event.taskId,
    workflowId: event.workflowId,
    number: event.taskNumber,
    startedAtMs: event.atMs,
    lone: event.lone,
    openRequests: 0,
    lastEndedAtMs: null,
    servedMs: 0,
    longestServedMs: 0,
    waitedMs: 0,
    stages: new Map(),
  });
}

/** Nothing asks for a finished task again: a later request under its name starts a new one. */
export function evolveTaskFinished(state: SchedulerState, event: Of<"task.finished">): void {
  const isLone = state.tasks.get(event.taskId)?.lone ?? true;
  if (!isLone) state.meanJctMs = follow(state.meanJctMs ?? event.jctMs, event.jctMs);
  state.tasks.delete(event.taskId);
}

/** The mean of some twenty tasks. */
function follow(meanMs: Milliseconds, jctMs: Milliseconds): Milliseconds {
  return meanMs + 0.05 * (jctMs - meanMs);
}
