/** What happens to a request: it arrives, gets a slot, loses it with the engine, ends. */
import { namesMax, setBounded } from "./bounded";
import type { PrefixSource } from "./decision";
import type { EventBody } from "./events";
import { learnService } from "./service";
import type { RequestState, SchedulerState, SlotState } from "./state";

type Of<Kind extends EventBody["kind"]> = Extract<EventBody, { kind: Kind }>;
type At = { readonly atMs: number };

export function evolveArrival(state: SchedulerState, event: Of<"request.arrived"> & At): void {
  const { request } = event;
  state.arrivals = event.arrival;
  setBounded(state.agentRequests, request.agent, (state.agentRequests.get(request.agent) ?? 0) + 1, namesMax);
  state.requests.set(request.requestId, {
    spec: request,
    label: event.label,
    arrival: event.arrival,
    arrivedAtMs: event.atMs,
    slot: null,
    admittedAtMs: null,
    generated: [],
  });
  const task = state.tasks.get(request.taskId);
  if (!task) throw new Error(`Request ${request.requestId} arrived before its task ${request.taskId} was started.`);
  task.openRequests += 1;
  if (request.stageId !== null) {
    const stage = task.stages.get(request.stageId) ?? { finished: 0, open: 0 };
    stage.open += 1;
    task.stages.set(request.stageId, stage);
  }
}

export function evolveAdmission(state: SchedulerState, event: Of<"request.admitted"> & At): void {
  const request = state.requests.get(event.requestId);
  const slot = state.slots[event.slot];
  if (!request || !slot) throw new Error(`Request ${event.requestId} cannot be admitted to slot ${event.slot}.`);
  bringPrefix(state, slot, event.source);
  slot.requestId = request.spec.requestId;
  slot.agent = request.spec.agent;
  slot.prefixTokens = request.spec.prefixTokens;
  request.slot = event.slot;
  request.admittedAtMs = event.atMs;
}

/**
 * in place:  slot  [ reused | old tail ]  -> cut -> [ reused ]
 * fork:      from  [ reused | its tail ]  -> copy whole -> cut -> slot [ reused ]
 * prefill:   slot  [ old ]                -> cut -> [ ]
 */
function bringPrefix(state: SchedulerState, slot: SlotState, source: PrefixSource): void {
  if (source.kind === "fork") {
    const from = state.slots[source.from];
    if (!from) throw new Error(`There is no slot ${source.from} to fork from.`);
    state.pendingOperations.push({ kind: "copy", from: source.from, to: slot.slot });
    slot.tokens = from.tokens.slice(0, source.tokens);
  } else if (slot.tokens.length > source.tokens) {
    slot.tokens = slot.tokens.slice(0, source.tokens);
  } else {
    return;
  }
  state.pendingOperations.push({ kind: "cut", slot: slot.slot, length: source.tokens });
}

export function evolveRequeue(state: SchedulerState, event: Of<"request.requeued">): void {
  const request = state.requests.get(event.requestId);
  if (request) request.slot = null;
}

export function evolveEnding(
  state: SchedulerState,
  event: (Of<"request.finished"> | Of<"request.cancelled"> | Of<"request.failed">) & At,
): void {
  const request = state.requests.get(event.requestId);
  if (!request) return;
  if (event.kind === "request.finished") learnService(state, request);
  releaseSlot(state, request, event);
  closeInTask(state, request, event);
  state.requests.delete(event.requestId);
}

/** The slot stays warm, unless its content is in doubt. */
function releaseSlot(state: SchedulerState, request: RequestState, event: { kind: string } & At): void {
  const slot = request.slot === null ? undefined : state.slots[request.slot];
  if (!slot) return;
  slot.requestId = null;
  slot.lastUsedAtMs = event.atMs;
  if (event.kind === "request.failed") {
    slot.tokens = [];
    slot.agent = null;
    slot.prefixTokens = 0;
    state.pendingOperations.push({ kind: "cut", slot: slot.slot, length: 0 });
  }
}

function closeInTask(state: SchedulerState, request: RequestState, event: { kind: string } & At): void {
  const task = state.tasks.get(request.spec.taskId);
  if (!task) return;
  task.openRequests -= 1;
  task.lastEndedAtMs = event.atMs;
  const stage = request.spec.stageId === null ? undefined : task.stages.get(request.spec.stageId);
  if (!stage) return;
  stage.open -= 1;
  if (event.kind === "request.finished") stage.finished += 1;
}
