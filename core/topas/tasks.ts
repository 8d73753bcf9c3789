/** When a task begins and when it is over. */
import type { TaskId, WorkflowId } from "../contract/ids";
import type { RequestSpec } from "./inputs";
import { isFinished } from "./next-stages";
import type { SchedulerState, TaskState } from "./state";
import type { Turn } from "./turn";
import type { Stage } from "./workflow";

export function ensureTask(turn: Turn, request: RequestSpec): void {
  const { taskId, workflowId } = request;
  if (turn.state.tasks.has(taskId)) return;
  const taskNumber = (turn.state.taskNumbers.get(workflowId ?? "") ?? 0) + 1;
  turn.emit({ kind: "task.started", taskId, workflowId, taskNumber, lone: taskId === request.requestId });
}

/** Called when a request of the task ended: a declared workflow is over with its last stage, a lone request at once. */
export function finishTaskIfOver(turn: Turn, taskId: TaskId): void {
  const task = turn.state.tasks.get(taskId);
  if (!task || task.openRequests > 0) return;
  const stages = declaredStages(turn.state, task.workflowId);
  const over = stages.length > 0 ? isOver(task, stages) : task.lone;
  if (over) finish(turn, task);
}

/** How often a loop goes round is only expected: a task that ends in one ends by silence. */
function isOver(task: TaskState, stages: readonly Stage[]): boolean {
  const needed = new Set(stages.flatMap(({ after }) => after));
  const last = stages.filter(({ id }) => !needed.has(id));
  return last.every((stage) => stage.expectedCalls === 1 && isFinished(task, stage)) && stages.every(wasCalled);

  function wasCalled({ id }: Stage): boolean {
    return (task.stages.get(id)?.finished ?? 0) > 0;
  }
}

/** Tasks that wait for nothing we know of end by silence: their client will not say when it is done. */
export function finishIdleTasks(turn: Turn): void {
  for (const task of [...turn.state.tasks.values()]) {
    const deadlineMs = idleDeadlineMs(turn, task);
    if (deadlineMs !== null && deadlineMs <= turn.state.nowMs) finish(turn, task);
  }
}

/** Asks the driver to wake us when the next silent task ends or the next deadline passes. */
export function setAlarm(turn: Turn): void {
  let nextMs: number | null = null;
  for (const { spec } of turn.state.requests.values()) {
    if (spec.deadlineMs !== undefined && (nextMs === null || spec.deadlineMs < nextMs)) nextMs = spec.deadlineMs;
  }
  for (const task of turn.state.tasks.values()) {
    const deadlineMs = idleDeadlineMs(turn, task);
    if (deadlineMs !== null && (nextMs === null || deadlineMs < nextMs)) nextMs = deadlineMs;
  }
  if (nextMs !== null && nextMs !== turn.state.alarmForMs) turn.emit({ kind: "alarm.set", forMs: nextMs });
}

function idleDeadlineMs(turn: Turn, task: TaskState): number | null {
  return task.openRequests > 0 || task.lastEndedAtMs === null ? null : task.lastEndedAtMs + turn.config.taskIdleMs;
}

function finish(turn: Turn, task: TaskState): void {
  const jctMs = (task.lastEndedAtMs ?? turn.state.nowMs) - task.startedAtMs;
  turn.emit({ kind: "task.finished", taskId: task.taskId, jctMs });
}

function declaredStages(state: SchedulerState, workflowId: WorkflowId | null) {
  return (workflowId === null ? undefined : state.workflows.get(workflowId)?.stages) ?? [];
}
