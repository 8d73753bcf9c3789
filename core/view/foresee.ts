/**
 * What is to be expected next, from nothing but the time that the same stages took before: when a running request ends, how much
 * work a task has left, and what the lanes may show right of "now". A stage that was never seen to end foretells nothing.
 */
import type { AgentId, Milliseconds, RequestId, SlotIndex, StageId } from "../contract/ids";
import type { LiveView, RequestView, StageView, TaskView } from "./view";

export interface ForeseenSpan {
  readonly slot: SlotIndex;
  /** `runs`: what runs now, to its end. `kept`: an idle slot stays warm. `starts`: who comes into the slot then. */
  readonly kind: "runs" | "kept" | "starts";
  readonly agent: AgentId | null;
  readonly requestId: RequestId | null;
  readonly label: string;
  readonly fromMs: Milliseconds;
  /** Null: further than can be said. */
  readonly toMs: Milliseconds | null;
}

/** From admission to end, as this stage took on average; null if it was never seen to end. */
function meanMs(view: LiveView, task: TaskView | undefined, stageId: StageId | null): Milliseconds | null {
  return view.stageMs[`${task?.workflowId ?? ""}/${stageId ?? ""}`]?.meanMs ?? null;
}

const taskOf = (view: LiveView, { taskId }: Pick<RequestView, "taskId">) =>
  view.tasks.find((task) => task.taskId === taskId);

/** Null where that cannot be said, as of one that takes longer than it used to. */
export function foreseenEndMs(view: LiveView, request: RequestView, nowMs: Milliseconds): Milliseconds | null {
  const mean = meanMs(view, taskOf(view, request), request.stageId);
  if (mean === null || request.admittedAtMs === null) return null;
  const endMs = request.admittedAtMs + mean;
  return endMs > nowMs ? endMs : null;
}

/** Of its longest chain that is not done, without the waiting between; null where a stage of it was never seen. */
export function workLeftMs(view: LiveView, task: TaskView, nowMs: Milliseconds): Milliseconds | null {
  const byId = new Map(task.stages.map((stage) => [stage.stageId, stage]));
  const ends = new Map<StageId, Milliseconds | null>();
  const endOf = (stage: StageView): Milliseconds | null => {
    const known = ends.get(stage.stageId);
    if (known !== undefined) return known;
    ends.set(stage.stageId, 0);
    const own = ownLeftMs(view, task, stage, nowMs);
    const parents = stage.after.flatMap((id) => byId.get(id) ?? []).map(endOf);
    const end = own === null || parents.includes(null) ? null : own + Math.max(0, ...(parents as Milliseconds[]));
    ends.set(stage.stageId, end);
    return end;
  };
  const all = task.stages.map(endOf);
  return all.length === 0 || all.includes(null) ? null : Math.max(...(all as Milliseconds[]));
}

function ownLeftMs(view: LiveView, task: TaskView, stage: StageView, nowMs: Milliseconds): Milliseconds | null {
  if (stage.phase === "done") return 0;
  const mean = meanMs(view, task, stage.stageId);
  if (mean === null || stage.phase !== "running") return mean;
  return Math.max(0, mean - (nowMs - (stage.startedAtMs ?? nowMs)));
}

/** When the last of its parents ends, for a stage that comes next. */
export function dueMs(view: LiveView, task: TaskView, stage: StageView, nowMs: Milliseconds): Milliseconds | null {
  if (stage.phase !== "next") return null;
  const ends = stage.after.map((id) => {
    const parent = task.stages.find((one) => one.stageId === id);
    if (parent === undefined || parent.phase === "done") return nowMs;
    const request = parent.requestId === null ? undefined : view.requests[parent.requestId];
    return request === undefined ? null : foreseenEndMs(view, request, nowMs);
  });
  return ends.includes(null) ? null : Math.max(nowMs, ...(ends as Milliseconds[]));
}

export function foreseeLanes(view: LiveView, nowMs: Milliseconds): readonly ForeseenSpan[] {
  if (view.engine.phase === "down") return [];
  const waiting = view.queue.map(({ requestId }) => requestId);
  const spans: ForeseenSpan[] = [];
  const freed: { readonly slot: SlotIndex; readonly atMs: Milliseconds }[] = [];
  for (const { slot, requestId, agent, keptFor } of view.slots) {
    const request = requestId === null ? undefined : view.requests[requestId];
    if (request !== undefined) {
      const toMs = foreseenEndMs(view, request, nowMs);
      spans.push({ slot, kind: "runs", agent, requestId, label: "", fromMs: nowMs, toMs });
      if (toMs !== null) freed.push({ slot, atMs: toMs });
    } else if (keptFor !== null && agent !== null) spans.push(...keptSpans(view, slot, agent, nowMs));
  }
  // Who stands first gets the slot that is free first, as things are now.
  for (const { slot, atMs } of freed.sort((a, b) => a.atMs - b.atMs)) {
    const next = view.requests[waiting.shift() ?? ""];
    if (next === undefined) break;
    const { requestId, agent, label } = next;
    spans.push({ slot, kind: "starts", agent, requestId, label, fromMs: atMs, toMs: null });
  }
  return spans;
}

/** When a waiting request is to be expected in a slot; null where that cannot be said. */
export function foreseenStartMs(view: LiveView, requestId: RequestId, nowMs: Milliseconds): Milliseconds | null {
  return (
    foreseeLanes(view, nowMs).find((span) => span.requestId === requestId && span.kind === "starts")?.fromMs ?? null
  );
}

/** Kept until the first stage of that agent that comes next. */
function keptSpans(view: LiveView, slot: SlotIndex, agent: AgentId, nowMs: Milliseconds): readonly ForeseenSpan[] {
  const dues = view.tasks.flatMap((task) =>
    task.stages.filter((stage) => stage.agent === agent).flatMap((stage) => dueMs(view, task, stage, nowMs) ?? []),
  );
  const toMs = dues.length === 0 ? null : Math.min(...dues);
  const kept: ForeseenSpan = { slot, kind: "kept", agent, requestId: null, label: "", fromMs: nowMs, toMs };
  return toMs === null ? [kept] : [kept, { ...kept, kind: "starts", label: agent, fromMs: toMs, toMs: null }];
}
