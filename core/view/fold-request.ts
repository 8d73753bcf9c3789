/** A request's way through the view: it waits, takes a slot, leaves it warm. */
import type { RequestId } from "../contract/ids";
import { emptySlot } from "./empty-slot";
import { withSlot } from "./fold-batch";
import type { LiveView, RequestView } from "./view";
import type { ViewEvent } from "./view-event";

/** Later agents get no place of their own, only their letters; later stages no weight on the critical path. */
const agentsMax = 256;
const stagesMax = 2048;

type Of<Kind extends ViewEvent["kind"]> = Extract<ViewEvent, { kind: Kind }>;

export function foldArrival(view: LiveView, { request, label, atMs }: Of<"request.arrived">): LiveView {
  const { requestId, agent, taskId, stageId, promptTokens, prefixTokens } = request;
  const room = view.engine.slotTokens === 0 ? Number.MAX_SAFE_INTEGER : view.engine.slotTokens - promptTokens;
  const added: RequestView = {
    requestId,
    label,
    agent,
    taskId,
    stageId,
    phase: "waiting",
    movedUp: false,
    priority: request.priority ?? "normal",
    deadlineMs: request.deadlineMs ?? null,
    arrivedAtMs: atMs,
    admittedAtMs: null,
    firstTokenAtMs: null,
    slot: null,
    source: null,
    promptTokens,
    prefixTokens,
    generatedTokens: 0,
    maxTokens: Math.max(1, Math.min(request.maxTokens ?? room, room)),
    tokensToEvaluate: promptTokens,
  };
  const isKnown = view.agents.includes(agent) || view.agents.length >= agentsMax;
  const agents = isKnown ? view.agents : [...view.agents, agent];
  return { ...view, agents, requests: { ...view.requests, [requestId]: added } };
}

export function foldAdmission(view: LiveView, { requestId, slot, source, atMs }: Of<"request.admitted">): LiveView {
  const request = view.requests[requestId];
  if (request === undefined) return view;
  const toEvaluate = request.promptTokens + request.generatedTokens - source.tokens;
  const running = {
    ...request,
    phase: "prefill" as const,
    admittedAtMs: atMs,
    slot,
    source,
    tokensToEvaluate: toEvaluate,
  };
  const { totals } = view;
  const counted = {
    ...totals,
    promptTokens: totals.promptTokens + request.promptTokens,
    reusedTokens: totals.reusedTokens + (source.kind === "in_place" ? source.tokens : 0),
    forkedTokens: totals.forkedTokens + (source.kind === "fork" || source.kind === "restore" ? source.tokens : 0),
  };
  const queue = view.queue.filter((row) => row.requestId !== requestId);
  const next = { ...view, requests: { ...view.requests, [requestId]: running }, totals: counted, queue };
  return withSlot(next, slot, {
    requestId,
    agent: request.agent,
    prefixTokens: request.prefixTokens,
    heldTokens: source.tokens,
    toPrefillTokens: toEvaluate,
    forkedFrom: source.kind === "fork" ? source.from : null,
    idleSinceMs: null,
    keptFor: null,
  });
}

export function foldMove(view: LiveView, requestId: RequestId, movedUp: boolean): LiveView {
  const request = view.requests[requestId];
  return request === undefined
    ? view
    : { ...view, requests: { ...view.requests, [requestId]: { ...request, movedUp } } };
}

export function foldRequeue(view: LiveView, { requestId }: Of<"request.requeued">): LiveView {
  const request = view.requests[requestId];
  if (request === undefined) return view;
  const tokensToEvaluate = request.promptTokens + request.generatedTokens;
  const waiting = { ...request, phase: "waiting" as const, slot: null, source: null, tokensToEvaluate };
  return { ...view, requests: { ...view.requests, [requestId]: waiting } };
}

/** What it held stays in its slot until somebody else needs that. */
export function foldPreemption(view: LiveView, event: Of<"request.preempted">): LiveView {
  const request = view.requests[event.requestId];
  if (request === undefined || request.slot === null) return view;
  const { slot } = request;
  const next = foldRequeue(view, { ...event, kind: "request.requeued", generatedTokens: request.generatedTokens });
  return withSlot(next, slot, { requestId: null, toPrefillTokens: 0, idleSinceMs: event.atMs });
}

export function foldEnding(
  view: LiveView,
  event: Of<"request.finished"> | Of<"request.cancelled"> | Of<"request.failed">,
): LiveView {
  const request = view.requests[event.requestId];
  if (request === undefined) return view;
  const { [event.requestId]: _, ...requests } = view.requests as Record<RequestId, RequestView>;
  const { totals } = view;
  const counted = {
    ...totals,
    finishedRequests: totals.finishedRequests + Number(event.kind === "request.finished"),
    cancelledRequests: totals.cancelledRequests + Number(event.kind === "request.cancelled"),
    failedRequests: totals.failedRequests + Number(event.kind === "request.failed"),
  };
  const queue = view.queue.filter((row) => row.requestId !== event.requestId);
  const stageMs = event.kind === "request.finished" ? withStageTime(view, request, event.atMs) : view.stageMs;
  const next = { ...view, requests, queue, totals: counted, stageMs };
  if (request.slot === null) return next;
  if (event.kind === "request.failed") return withSlot(next, request.slot, emptySlot(request.slot));
  return withSlot(next, request.slot, { requestId: null, toPrefillTokens: 0, idleSinceMs: event.atMs });
}

function withStageTime(view: LiveView, request: RequestView, atMs: number): LiveView["stageMs"] {
  const task = view.tasks.find((other) => other.taskId === request.taskId);
  if (task === undefined || task.workflowId === null || request.stageId === null || request.admittedAtMs === null)
    return view.stageMs;
  const key = `${task.workflowId}/${request.stageId}`;
  const { count, meanMs } = view.stageMs[key] ?? { count: 0, meanMs: 0 };
  if (count === 0 && Object.keys(view.stageMs).length >= stagesMax) return view.stageMs;
  const mean = meanMs + (atMs - request.admittedAtMs - meanMs) / (count + 1);
  return { ...view.stageMs, [key]: { count: count + 1, meanMs: mean } };
}
