/** An engine that only keeps time: a batch takes what the cost profile says and gives tokens that mean nothing. */
import type { Batch, BatchAnswer, BatchResult, CostProfile } from "../contract/engine";
import type { RequestId } from "../contract/ids";
import { stepSeconds } from "../topas/cost";

/** How many tokens a request will generate before it ends by itself; its own limit may end it sooner. */
export type OutputLengths = ReadonlyMap<RequestId, number>;

/** `generated` counts the tokens drawn so far and is the caller's to keep. */
export function simulateBatch(
  batch: Batch,
  costs: CostProfile,
  lengths: OutputLengths,
  generated: Map<RequestId, number>,
): BatchResult {
  const answers: BatchAnswer[] = [];
  for (const { requestId, wantsToken } of batch.work) {
    if (!wantsToken) continue;
    const count = (generated.get(requestId) ?? 0) + 1;
    generated.set(requestId, count);
    const ended = count >= (lengths.get(requestId) ?? Number.POSITIVE_INFINITY) ? "end_of_sequence" : null;
    answers.push({ requestId, token: 1_000_000 + count, text: "", heldText: "", ended });
  }
  return { batchId: batch.batchId, durationMs: batchMs(batch, costs), answers, failures: [] };
}

/** Decode steps cost by the curve, prompt tokens one by one, copies each. */
export function batchMs(batch: Batch, costs: CostProfile): number {
  const decoding = batch.work.filter((work) => work.wantsToken && work.tokens.length === 1).length;
  const promptTokens = batch.work.reduce((sum, { tokens }) => sum + (tokens.length > 1 ? tokens.length : 0), 0);
  const copies = batch.operations.filter((operation) => operation.kind === "copy").length;
  return stepSeconds(costs, decoding) * 1000 + promptTokens * costs.prefillMsPerToken + copies * costs.copyMs;
}
