/** An engine that only keeps time: a step takes what the cost profile says and gives tokens that mean nothing. */
import { isLastStep, nextStep } from "../contract/batch-steps";
import type { Batch, BatchAnswer, BatchResult, CostProfile, SequenceOperation } from "../contract/engine";
import type { Milliseconds, RequestId, Token } from "../contract/ids";
import { stepSeconds } from "../topas/cost";
import type { EngineInput } from "../topas/inputs";

/** How many tokens a request will generate before it ends by itself; its own limit may end it sooner. */
export type OutputLengths = ReadonlyMap<RequestId, number>;

/** The tokens themselves, from the first on; beyond them it gives tokens that mean nothing. */
export type OutputTokens = ReadonlyMap<RequestId, readonly Token[]>;

const noTokens: OutputTokens = new Map();

/** The engine as the simulation drives it: it holds at most the one step that is under way. */
export class SimulatedEngine {
  readonly #costs: CostProfile;
  readonly #lengths: OutputLengths;
  readonly #tokens: OutputTokens;
  readonly #generated = new Map<RequestId, number>();
  #underWay: { readonly batch: Batch; readonly result: BatchResult; readonly endsAtMs: Milliseconds } | null = null;
  #isInterrupted = false;

  constructor(costs: CostProfile, lengths: OutputLengths, tokens: OutputTokens = noTokens) {
    this.#costs = costs;
    this.#lengths = lengths;
    this.#tokens = tokens;
  }

  /** When the step under way ends. */
  get endsAtMs(): Milliseconds | null {
    return this.#underWay?.endsAtMs ?? null;
  }

  run(batch: Batch, atMs: Milliseconds): void {
    this.#isInterrupted = false;
    this.#begin(batch, atMs);
  }

  interrupt(): void {
    this.#isInterrupted = true;
  }

  /** Its process is gone, and with it the step under way: nobody was told of the tokens it would have drawn. */
  stop(): void {
    for (const { requestId } of this.#underWay?.result.answers ?? []) {
      this.#generated.set(requestId, (this.#generated.get(requestId) ?? 1) - 1);
    }
    this.#underWay = null;
  }

  /** Ends the step under way and goes on with the next by itself, unless it was the last. */
  endStep(): EngineInput | null {
    if (this.#underWay === null) return null;
    const { batch, result, endsAtMs: atMs } = this.#underWay;
    const isLast = this.#isInterrupted || isLastStep(batch, result);
    this.#underWay = null;
    if (!isLast) this.#begin(nextStep(batch, result.answers), atMs);
    return { origin: "engine", kind: isLast ? "batch.finished" : "batch.stepped", atMs, result };
  }

  #begin(batch: Batch, atMs: Milliseconds): void {
    const result = simulateStep(batch, this.#costs, this.#lengths, this.#generated, this.#tokens);
    this.#underWay = { batch, result, endsAtMs: atMs + result.durationMs };
  }
}

/** One step of a batch. `generated` counts the tokens drawn so far and is the caller's to keep. */
export function simulateStep(
  batch: Batch,
  costs: CostProfile,
  lengths: OutputLengths,
  generated: Map<RequestId, number>,
  tokens: OutputTokens = noTokens,
): BatchResult {
  const answers: BatchAnswer[] = [];
  for (const { requestId, wantsToken } of batch.work) {
    if (!wantsToken) continue;
    const count = (generated.get(requestId) ?? 0) + 1;
    generated.set(requestId, count);
    const ended = count >= (lengths.get(requestId) ?? Number.POSITIVE_INFINITY) ? "end_of_sequence" : null;
    const token = tokens.get(requestId)?.[count - 1] ?? 1_000_000 + count;
    answers.push({ requestId, token, text: "", heldText: "", ended });
  }
  return { batchId: batch.batchId, durationMs: batchMs(batch, costs), answers, failures: [] };
}

/** Decode steps cost by the curve, prompt tokens one by one, copies each, what is saved and restored by its tokens. */
export function batchMs(batch: Batch, costs: CostProfile): number {
  const decoding = batch.work.filter((work) => work.wantsToken && work.tokens.length === 1).length;
  const promptTokens = batch.work.reduce((sum, { tokens }) => sum + (tokens.length > 1 ? tokens.length : 0), 0);
  const moved = batch.operations.reduce((sum, operation) => sum + operationMs(operation, costs), 0);
  return stepSeconds(costs, decoding) * 1000 + promptTokens * costs.prefillMsPerToken + moved;
}

function operationMs(operation: SequenceOperation, costs: CostProfile): number {
  switch (operation.kind) {
    case "copy":
      return costs.copyMs;
    case "save":
      return operation.tokens * (costs.saveMsPerToken ?? 0);
    case "restore":
      return operation.tokens * (costs.restoreMsPerToken ?? 0);
    case "cut":
      return 0;
    default:
      return operation satisfies never;
  }
}
