/**
 * Composes the next batch: one token for each request that decodes, and at most one piece of prompt shared by the rest.
 * Where all decode, the engine may go on by itself until the first of them reaches its limit.
 */
import { allowsSteps } from "../contract/batch-steps";
import type { Batch, BatchWork } from "../contract/engine";
import type { SchedulerConfig } from "./config";
import { runningRequests } from "./occupancy";
import { outputLimit } from "./service";
import type { RequestState, SchedulerState } from "./state";

/**
 * What a running request still has to evaluate:
 *   prompt + generated:  [ held by the slot | .......... rest .......... ]
 *                                             one token left = it decodes
 */
export function tokensLeft(state: SchedulerState, request: RequestState): number {
  const held = request.slot === null ? 0 : (state.slots[request.slot]?.tokens.length ?? 0);
  return request.spec.promptTokens.length + request.generated.length - held;
}

/** Null when nothing is to do. The piece of prompt goes to requests in the order of their admission. */
export function planBatch(state: SchedulerState, config: SchedulerConfig): Batch | null {
  const running = runningRequests(state);
  if (running.length === 0) return null;
  running.sort((a, b) => (a.admittedAtMs ?? 0) - (b.admittedAtMs ?? 0) || a.arrival - b.arrival);
  const work: BatchWork[] = [];
  let promptTokens = config.pieceTokensMax;
  for (const request of running) {
    const left = tokensLeft(state, request);
    if (awaitsPrefix(state, request, running)) continue;
    const decodes = left === 1 && request.generated.length > 0;
    const count = decodes ? 1 : Math.min(left, promptTokens);
    if (!decodes) promptTokens -= count;
    if (count > 0) work.push(piece(state, request, count));
  }
  const plan = { batchId: state.batches + 1, operations: state.pendingOperations, work };
  const isDecode = work.length === running.length && allowsSteps(plan);
  return { ...plan, steps: isDecode ? stepsAhead(state, running, config) : 1 };
}

/** Something else should run than what the engine would go on with. */
export function isOutdated(state: SchedulerState, batch: Batch): boolean {
  if (state.pendingOperations.length > 0) return true;
  const inBatch = new Set(batch.work.map((work) => work.requestId));
  const running = runningRequests(state);
  return running.length !== inBatch.size || running.some((request) => !inBatch.has(request.spec.requestId));
}

/** In a token pool a shared prefix is evaluated once, by the request that was admitted first; `running` is in that order. */
function awaitsPrefix(state: SchedulerState, request: RequestState, running: readonly RequestState[]): boolean {
  const { agent } = request.spec;
  const prefix = state.engine.budgetTokens === null ? undefined : state.prefixes.get(agent);
  if (prefix === undefined || prefix.readyTokens === prefix.tokens.length) return false;
  return running.find((other) => other.spec.agent === agent) !== request;
}

/** No request is given a token beyond its limit. */
function stepsAhead(state: SchedulerState, running: readonly RequestState[], config: SchedulerConfig): number {
  const left = running.map((request) => outputLimit(state, request) - request.generated.length);
  return Math.max(1, Math.min(config.stepsAheadMax, ...left));
}

function piece(state: SchedulerState, request: RequestState, count: number): BatchWork {
  const slot = request.slot ?? 0;
  const position = state.slots[slot]?.tokens.length ?? 0;
  const { requestId, promptTokens } = request.spec;
  const fromPrompt = promptTokens.slice(position, position + count);
  const generatedFrom = Math.max(0, position - promptTokens.length);
  const tokens = fromPrompt.concat(request.generated.slice(generatedFrom, generatedFrom + count - fromPrompt.length));
  const wantsToken = position + count === promptTokens.length + request.generated.length;
  return { requestId, slot, position, tokens, wantsToken };
}
