/** Tasks and the states of their stages, worked out from the requests that are open and the stages seen to end. */

import type { SlotIndex, TaskId } from "../contract/ids";
import { withCriticalPath } from "./critical-path";
import type { LiveView, StageView, TaskView } from "./view";
import type { ViewEvent } from "./view-event";

/** Finished tasks still shown. */
const finishedMax = 4;
const recentMax = 100;
/** Ended calls kept of a task beyond its declared stages, newest first: the session of an agent may make thousands. */
export const looseStagesMax = 64;

export function foldTaskStarted(view: LiveView, event: Extract<ViewEvent, { kind: "task.started" }>): LiveView {
  const { taskId, workflowId, taskNumber: number, atMs } = event;
  const workflow = workflowId === null ? undefined : view.workflows[workflowId];
  const name = workflow?.name ?? workflowId ?? "No workflow";
  const task: TaskView = { taskId, workflowId, name, number, startedAtMs: atMs, finishedAtMs: null, stages: [] };
  return { ...view, tasks: [...view.tasks.filter((other) => other.taskId !== taskId), task] };
}

/** In flight first, then the newest finished ones. */
export function foldTaskFinished(view: LiveView, event: Extract<ViewEvent, { kind: "task.finished" }>): LiveView {
  const ended = view.tasks.map((task) => (task.taskId === event.taskId ? { ...task, finishedAtMs: event.atMs } : task));
  const inFlight = ended.filter((task) => task.finishedAtMs === null);
  const finished = ended
    .filter((task) => task.finishedAtMs !== null)
    .sort((a, b) => (b.finishedAtMs ?? 0) - (a.finishedAtMs ?? 0));
  const recentJctMs = [...view.recentJctMs, event.jctMs].slice(-recentMax);
  return { ...view, tasks: [...inFlight, ...finished.slice(0, finishedMax)], recentJctMs };
}

/** Brings the stages of all tasks in flight up to date with the requests. */
export function refreshTasks(view: LiveView): LiveView {
  const open = openByTask(view);
  const refreshed = view.tasks.map((task) =>
    task.finishedAtMs === null ? withStages(view, task, open.get(task.taskId) ?? []) : task,
  );
  return { ...view, tasks: refreshed };
}

type OpenRequest = LiveView["requests"][string];

/** One pass over the requests for all tasks: hundreds may wait, and every event comes through here. */
function openByTask(view: LiveView): Map<TaskId, OpenRequest[]> {
  const open = new Map<TaskId, OpenRequest[]>();
  for (const request of Object.values(view.requests)) {
    const known = open.get(request.taskId);
    if (known === undefined) open.set(request.taskId, [request]);
    else known.push(request);
  }
  return open;
}

function withStages(view: LiveView, task: TaskView, open: readonly OpenRequest[]): TaskView {
  const declared = (task.workflowId === null ? undefined : view.workflows[task.workflowId])?.stages ?? [];
  if (declared.length === 0 && isCurrent(task, open)) return task;
  const before = new Map<string, StageView>(task.stages.map((stage) => [stage.stageId, stage]));
  const stages: StageView[] = declared.map((stage) =>
    stageNow(
      view,
      before.get(stage.id) ?? newStage(stage.id, stage.agent, stage.after),
      open.filter((request) => request.stageId === stage.id),
    ),
  );
  const known = new Set(declared.map((stage) => stage.id));
  const loose = open.filter((request) => request.stageId === null || !known.has(request.stageId));
  for (const request of loose) {
    const stage = before.get(request.requestId) ?? newStage(request.requestId, request.agent, []);
    stages.push(stageNow(view, stage, [request]));
  }
  const listed = new Set(stages.map((stage) => stage.stageId));
  const over = task.stages.filter((stage) => !listed.has(stage.stageId)).slice(0, looseStagesMax);
  stages.push(...over.map((stage) => stageNow(view, stage, [])));
  return { ...task, stages: withCriticalPath(view, task, markNext(stages)) };
}

/** Of hundreds of lone requests an event changes one; the others' tasks stay the same objects. */
function isCurrent(task: TaskView, open: readonly OpenRequest[]): boolean {
  const shown = task.stages.filter(({ phase }) => phase === "running" || phase === "waiting");
  return (
    shown.length === open.length &&
    open.every(({ requestId, slot }) =>
      shown.some((stage) => stage.requestId === requestId && stage.phase === phaseOf(slot)),
    )
  );
}

function phaseOf(slot: SlotIndex | null): "waiting" | "running" {
  return slot === null ? "waiting" : "running";
}

function newStage(stageId: string, agent: string | null, after: readonly string[]): StageView {
  return {
    stageId,
    agent,
    after,
    phase: "not_ready",
    requestId: null,
    label: agent ?? stageId,
    startedAtMs: null,
    finishedAtMs: null,
    onCriticalPath: false,
  };
}

function stageNow(view: LiveView, stage: StageView, open: readonly OpenRequest[]): StageView {
  const request = open.find((other) => other.slot !== null) ?? open[0];
  if (request === undefined) {
    const wasOpen = stage.phase === "running" || stage.phase === "waiting";
    return wasOpen
      ? { ...stage, phase: "done", finishedAtMs: view.atMs }
      : stage.phase === "next"
        ? { ...stage, phase: "not_ready" }
        : stage;
  }
  return {
    ...stage,
    agent: request.agent,
    requestId: request.requestId,
    label: request.label,
    phase: phaseOf(request.slot),
    startedAtMs: request.admittedAtMs ?? stage.startedAtMs,
    finishedAtMs: null,
  };
}

/** `next`: not ready, and all of its unfinished predecessors run now. */
function markNext(stages: readonly StageView[]): StageView[] {
  const phases = new Map(stages.map((stage) => [stage.stageId, stage.phase]));
  return stages.map((stage) => {
    if (stage.phase !== "not_ready" || stage.after.length === 0) return stage;
    const near = stage.after.every((id) => phases.get(id) === "done" || phases.get(id) === "running");
    return near ? { ...stage, phase: "next" } : stage;
  });
}
