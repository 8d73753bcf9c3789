/** What a batch does to the state: its operations are under way, then its tokens are held and the new ones known. */
import { nextStep } from "../contract/batch-steps";
import type { EventBody } from "./events";
import { learnCosts } from "./learn-costs";
import type { SchedulerState } from "./state";

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
    if (slot && !failed.has(work.requestId)) for (const token of work.tokens) slot.tokens.push(token);
  }
  for (const answer of event.answers) state.requests.get(answer.requestId)?.generated.push(answer.token);
  state.batchInFlight = event.kind === "batch.stepped" ? nextStep(batch, event.answers) : null;
}

/** The engine may have gone on before it heard of it: steps that come after are taken like any other. */
export function evolveBatchInterrupted(state: SchedulerState): void {
  if (state.batchInFlight !== null) state.batchInFlight = { ...state.batchInFlight, steps: 1 };
}
