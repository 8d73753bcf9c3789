/** What a batch does to the state: its operations are under way, then its tokens are held and the new ones known. */
import { nextStep } from "../contract/batch-steps";
import type { RequestId } from "../contract/ids";
import type { EventBody } from "./events";
import { learnCosts } from "./learn-costs";
import type { SchedulerState, SlotState } from "./state";

type Of<Kind extends EventBody["kind"]> = Extract<EventBody, { kind: Kind }>;

export function evolveBatchStarted(state: SchedulerState, event: Of<"batch.started">): void {
  state.batches = event.batch.batchId;
  state.batchInFlight = event.batch;
  state.pendingOperations = [];
}

/** Tokens of a request that was cancelled meanwhile are held all the same: its slot was not given away before now. */
export function evolveBatchStep(state: SchedulerState, event: Of<"batch.stepped"> | Of<"batch.finished">): void {
  const batch = state.batchInFlight;
  if (batch === null) return;
  const failed = new Set(event.failedRequests);
  state.steps += 1;
  state.engine.costs = learnCosts(state.engine.costs, batch, event.durationMs);
  for (const work of batch.work) {
    const slot = state.slots[work.slot];
    if (slot && isHeld(state, slot, work.requestId) && !failed.has(work.requestId))
      for (const token of work.tokens) slot.tokens.push(token);
  }
  sharePrefixes(state);
  for (const answer of event.answers) state.requests.get(answer.requestId)?.generated.push(answer.token);
  state.batchInFlight = event.kind === "batch.stepped" ? nextStep(batch, event.answers) : null;
}

/** A slot pool's slot keeps what was evaluated for a request that left meanwhile; a token pool's was emptied with it. */
function isHeld(state: SchedulerState, slot: SlotState, requestId: RequestId): boolean {
  return state.engine.budgetTokens === null || slot.requestId === requestId;
}

/** What the first request of an agent evaluates of the shared prefix, the others have too. */
function sharePrefixes(state: SchedulerState): void {
  for (const prefix of state.prefixes.values()) {
    const { length } = prefix.tokens;
    if (prefix.readyTokens === length) continue;
    const ofAgent = state.slots.filter((slot) => slot.requestId !== null && slot.agent === prefix.agent);
    const evaluated = Math.max(0, ...ofAgent.map((slot) => slot.tokens.length));
    prefix.readyTokens = Math.max(prefix.readyTokens, Math.min(length, evaluated));
    if (prefix.readyTokens < length) continue;
    for (const slot of ofAgent) if (slot.tokens.length < length) slot.tokens = [...prefix.tokens];
  }
}

/** The engine may have gone on before it heard of it: steps that come after are taken like any other. */
export function evolveBatchInterrupted(state: SchedulerState): void {
  if (state.batchInFlight !== null) state.batchInFlight = { ...state.batchInFlight, steps: 1 };
}
