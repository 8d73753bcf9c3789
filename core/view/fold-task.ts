/** Tasks and the states of their stages, worked out from the requests that are open and the stages seen to end. */

import { withCriticalPath } from "./critical-path";
import type { LiveView, StageView, TaskView } from "./view";
import type { ViewEvent } from "./view-event";

/** Finished tasks still shown. */
const finishedMax = 4;
const recentMax = 100;

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
  return { ...view, tasks: view.tasks.map((task) => (task.finishedAtMs === null ? withStages(view, task) : task)) };
}

function withStages(view: LiveView, task: TaskView): TaskView {
  const declared = (task.workflowId === null ? undefined : view.workflows[task.workflowId])?.stages ?? [];
  const open = Object.values(view.requests).filter((request) => request.taskId === task.taskId);
  const stages: StageView[] = declared.map((stage) => {
    const before = task.stages.find((other) => other.stageId === stage.id);
    return stageNow(
      view,
      before ?? newStage(stage.id, stage.agent, stage.after),
      open.filter((request) => request.stageId === stage.id),
    );
  });
  const known = new Set(declared.map((stage) => stage.id));
  for (const request of open) {
    if (request.stageId !== null && known.has(request.stageId)) continue;
    const before = task.stages.find((other) => other.requestId === request.requestId);
    stages.push(stageNow(view, before ?? newStage(request.requestId, request.agent, []), [request]));
  }
  for (const stage of task.stages) {
    if (!stages.some((other) => other.stageId === stage.stageId)) stages.push(stageNow(view, stage, []));
  }
  return { ...task, stages: withCriticalPath(view, task, markNext(stages)) };
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

type OpenRequest = LiveView["requests"][string];

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
    phase: request.slot === null ? "waiting" : "running",
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
