/** What happens to a request: it arrives, gets a slot, loses it with the engine, ends. */

import type { Milliseconds, RequestId } from "../contract/ids";
import { namesMax, setBounded } from "./bounded";
import type { EventBody } from "./events";
import { noteServed } from "./fairness";
import { learnService } from "./service";
import type { RequestState, SchedulerState, SlotState } from "./state";
import { storeSequence } from "./store";

type Of<Kind extends EventBody["kind"]> = Extract<EventBody, { kind: Kind }>;
type At = { readonly atMs: number };

export function evolveArrival(state: SchedulerState, event: Of<"request.arrived"> & At): void {
  const { request } = event;
  const task = state.tasks.get(request.taskId);
  if (!task) throw new Error(`Request ${request.requestId} arrived before its task ${request.taskId} was started.`);
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
    waitingSinceMs: event.atMs,
    preemptions: 0,
    movedUp: null,
    servedMs: 0,
    inheritedMs: task.longestServedMs,
  });
  const announced = state.announcedCalls.indexOf(request.agent);
  if (announced >= 0) state.announcedCalls.splice(announced, 1);
  if (task.openRequests === 0 && task.lastEndedAtMs !== null) noteToolGap(state, event.atMs - task.lastEndedAtMs);
  task.openRequests += 1;
  if (request.stageId !== null) {
    const stage = task.stages.get(request.stageId) ?? { finished: 0, open: 0 };
    stage.open += 1;
    task.stages.set(request.stageId, stage);
  }
}

const toolGapsKept = 256;

function noteToolGap(state: SchedulerState, gapMs: Milliseconds): void {
  state.toolGapsMs.push(gapMs);
  if (state.toolGapsMs.length > toolGapsKept) state.toolGapsMs.shift();
}

export function evolveRequeue(state: SchedulerState, event: Of<"request.requeued"> & At): void {
  const request = state.requests.get(event.requestId);
  if (request) waitAgain(request, event.atMs);
}

export function setMovedUp(state: SchedulerState, requestId: RequestId, rank: number | null): void {
  const request = state.requests.get(requestId);
  if (request) request.movedUp = rank;
}

/** In a slot pool what it held stays until the slot is needed; in a token pool its room is free at once, so it is saved now. */
export function evolvePreemption(state: SchedulerState, event: Of<"request.preempted"> & At): void {
  const request = state.requests.get(event.requestId);
  const slot = request?.slot == null ? undefined : state.slots[request.slot];
  if (!request || !slot) throw new Error(`Request ${event.requestId} does not run and cannot be preempted.`);
  if (state.engine.budgetTokens !== null) {
    const { agent, prefixTokens } = request.spec;
    storeSequence(state, { agent, tokens: slot.tokens, prefixTokens }, slot.slot);
  }
  leaveSlot(state, slot, event.atMs);
  waitAgain(request, event.atMs);
  request.preemptions += 1;
}

function waitAgain(request: RequestState, atMs: Milliseconds): void {
  request.servedMs += request.slot === null ? 0 : atMs - (request.admittedAtMs ?? atMs);
  request.slot = null;
  request.waitingSinceMs = atMs;
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

function releaseSlot(state: SchedulerState, request: RequestState, event: { kind: string } & At): void {
  const slot = request.slot === null ? undefined : state.slots[request.slot];
  if (!slot) return;
  leaveSlot(state, slot, event.atMs);
  if (event.kind !== "request.failed" || state.engine.budgetTokens !== null) return;
  clearSlot(slot); // its content is in doubt
  state.pendingOperations.push({ kind: "cut", slot: slot.slot, length: 0 });
}

/** A slot stays warm; in a token pool only the shared prefix does. */
function leaveSlot(state: SchedulerState, slot: SlotState, atMs: Milliseconds): void {
  slot.requestId = null;
  slot.lastUsedAtMs = atMs;
  if (state.engine.budgetTokens === null) return;
  const prefix = slot.agent === null ? undefined : state.prefixes.get(slot.agent);
  if (prefix) prefix.lastUsedAtMs = atMs;
  clearSlot(slot);
}

function clearSlot(slot: SlotState): void {
  slot.tokens = [];
  slot.agent = null;
  slot.prefixTokens = 0;
}

function closeInTask(state: SchedulerState, request: RequestState, event: { kind: string } & At): void {
  const task = state.tasks.get(request.spec.taskId);
  if (!task) return;
  task.openRequests -= 1;
  const ranMs = request.slot === null ? 0 : event.atMs - (request.admittedAtMs ?? event.atMs);
  noteServed(state, request, request.servedMs + ranMs);
  task.servedMs += request.servedMs + ranMs;
  task.longestServedMs = Math.max(task.longestServedMs, request.inheritedMs + request.servedMs + ranMs);
  task.lastEndedAtMs = event.atMs;
  const stage = request.spec.stageId === null ? undefined : task.stages.get(request.spec.stageId);
  if (!stage) return;
  stage.open -= 1;
  if (event.kind === "request.finished") stage.finished += 1;
}
