/**
 * Evaluates one batch on the native context: operations, then work, then one drawn token for each that wants it, and so
 * on for as many steps as it may. Checks everything before llama.cpp sees it, so that a bad piece of work fails alone and
 * never the process.
 */
import { allowsSteps, isLastStep, nextStep } from "../../core/contract/batch-steps";
import type { Batch, BatchAnswer, BatchResult, BatchWork, EngineRequest } from "../../core/contract/engine";
import type { RequestId, Token } from "../../core/contract/ids";
import { type AcceptedWork, batchPasses, type Part } from "./batch-passes";
import type { NativeContext } from "./native-context";
import { type Draw, OpenRequest } from "./open-request";
import type { Slots } from "./slots";
import type { Threads } from "./threads";

type Failure = BatchResult["failures"][number];

export class BatchRunner {
  threads: Threads;
  readonly #native: NativeContext;
  readonly #slots: Slots;
  readonly #vocabularySize: number;
  readonly #requests = new Map<RequestId, OpenRequest>();
  /** Requests that could not be opened, and why; their first work fails with it. */
  readonly #refused = new Map<RequestId, string>();
  #endTokens: readonly Token[] | null = null;
  /** Closed while a batch that may still use their samplers is being evaluated. */
  readonly #closing: OpenRequest[] = [];
  #running = false;
  #isInterrupted = false;

  constructor(native: NativeContext, slots: Slots, vocabularySize: number, threads: Threads) {
    this.#native = native;
    this.#slots = slots;
    this.#vocabularySize = vocabularySize;
    this.threads = threads;
  }

  open(request: EngineRequest): void {
    this.close(request.requestId);
    const { slotTokens } = this.#slots;
    const model = { slotTokens, vocabularySize: this.#vocabularySize, endTokens: () => this.#allEndTokens() };
    try {
      this.#requests.set(request.requestId, new OpenRequest(this.#native, request, model));
    } catch (error) {
      this.#refused.set(request.requestId, (error as Error).message);
    }
  }

  close(requestId: RequestId): void {
    this.#refused.delete(requestId);
    const request = this.#requests.get(requestId);
    if (!request) return;
    this.#requests.delete(requestId);
    if (this.#running) this.#closing.push(request);
    else request.dispose();
  }

  /** The next step is under way before the owner hears of the one before: it is told while llama.cpp computes. */
  async run(batch: Batch, onStep: (result: BatchResult) => void = () => undefined): Promise<BatchResult> {
    if (this.#running) throw new Error("A batch was sent while another was being evaluated.");
    if (batch.steps > 1 && !allowsSteps(batch)) throw new Error("Only decode steps can be done in a row.");
    this.#slots.check(batch.operations);
    this.#running = true;
    this.#isInterrupted = false;
    try {
      let left = batch;
      let step = this.#step(left);
      for (;;) {
        const result = await step;
        if (this.#isInterrupted || isLastStep(left, result)) return result;
        left = nextStep(left, result.answers);
        step = this.#step(left);
        onStep(result);
      }
    } finally {
      this.#running = false;
      for (const request of this.#closing.splice(0)) request.dispose();
    }
  }

  interrupt(): void {
    this.#isInterrupted = true;
  }

  async #step({ batchId, operations, work }: Batch): Promise<BatchResult> {
    const startedAtMs = performance.now();
    for (const operation of operations) await this.#slots.apply(operation);
    const failures: Failure[] = [];
    const works = this.#accept(work, failures);
    const answers: (BatchAnswer | null)[] = work.map(() => null);
    for (const pass of batchPasses(works, this.#native.batchTokensMax)) await this.#evaluate(pass, answers);
    for (const { request, failure } of works) {
      if (failure !== null) failures.push({ requestId: request.requestId, message: failure });
    }
    const durationMs = performance.now() - startedAtMs;
    return { batchId, durationMs, answers: answers.filter((answer) => answer !== null), failures };
  }

  /** Looked for once, when the first request wants to know. */
  #allEndTokens(): readonly Token[] {
    this.#endTokens ??= Array.from({ length: this.#vocabularySize }, (_, token) => token).filter((token) =>
      this.#native.isEndOfGeneration(token),
    );
    return this.#endTokens;
  }

  #accept(batchWork: readonly BatchWork[], failures: Failure[]): AcceptedWork[] {
    const works: AcceptedWork[] = [];
    for (const [order, work] of batchWork.entries()) {
      const { requestId, slot, position, wantsToken } = work;
      const request = this.#requests.get(requestId);
      const message = this.#objection(work, works);
      if (message !== null || !request) failures.push({ requestId, message: message ?? "The request is not open." });
      else
        works.push({
          request,
          slot,
          position,
          tokens: this.#slots.stage(slot, work.tokens),
          wantsToken,
          order,
          failure: null,
        });
    }
    return works;
  }

  #objection({ requestId, slot, position, tokens }: BatchWork, others: readonly AcceptedWork[]): string | null {
    const refusal = this.#refused.get(requestId);
    if (refusal !== undefined) return refusal;
    if (!this.#requests.has(requestId)) return `The request ${requestId} is not open.`;
    if (!this.#slots.has(slot)) return `There is no slot ${slot}: the engine has ${this.#slots.count}.`;
    if (others.some((other) => other.slot === slot)) return `Slot ${slot} was given work twice in one batch.`;
    if (others.some((other) => other.request.requestId === requestId))
      return `${requestId} was given work twice in one batch.`;
    if (tokens.length === 0) return "There was no token to evaluate.";
    const held = this.#slots.held(slot);
    if (position !== held) return `Work begins at position ${position}, but slot ${slot} holds ${held} tokens.`;
    if (position + tokens.length > this.#slots.slotTokens) {
      return `${position + tokens.length} tokens do not fit: a slot holds ${this.#slots.slotTokens}.`;
    }
    for (const token of tokens) {
      if (!Number.isInteger(token) || token < 0 || token >= this.#vocabularySize) {
        return `${token} is not a token of this model: it has ${this.#vocabularySize}, from 0 on.`;
      }
    }
    return null;
  }

  async #evaluate(pass: readonly Part[], answers: (BatchAnswer | null)[]): Promise<void> {
    const parts = pass.every(({ work }) => work.failure === null)
      ? pass
      : pass.filter(({ work }) => work.failure === null);
    if (parts.length === 0) return;
    try {
      await this.#decode(parts, answers);
    } catch (error) {
      await this.#retryAlone(parts, answers, error);
    }
  }

  async #decode(parts: readonly Part[], answers: (BatchAnswer | null)[]): Promise<void> {
    const native = this.#native;
    let tokenCount = 0;
    for (const { tokens } of parts) tokenCount += tokens.length;
    const startedAtMs = performance.now();
    const threads = this.threads.forBatch(tokenCount, parts.length, startedAtMs);
    native.setThreads(threads);
    native.beginBatch(tokenCount);
    const logitIndexes = parts.map((part) => native.add(part.work.slot, part.position, part.tokens, part.wantsLogits));
    const decoded = native.decode();
    // Queued right behind its decode, a draw does not wait for this thread to wake up. Not so where a prompt is evaluated,
    // which may lack room: a draw after a failed decode would move the sampler on.
    const isDecodeStep = tokenCount === parts.length;
    if (!(native.runsInOrder && isDecodeStep)) await decoded;
    const draws = parts.map(
      ({ work, wantsLogits }, index) => wantsLogits && work.request.draw(logitIndexes[index] ?? -1),
    );
    // A failed decode must be told only when its draws are over: until then they use the samplers.
    const [decoding, ...drawn] = await Promise.allSettled([decoded, ...draws]);
    if (decoding.status === "rejected") throw decoding.reason;
    const endedAtMs = performance.now();
    this.threads.observe(threads, tokenCount, parts.length, endedAtMs - startedAtMs, endedAtMs);
    for (const [index, { work, position, tokens }] of parts.entries()) {
      this.#slots.hold(work.slot, position + tokens.length);
      const draw = drawn[index];
      if (draw) answers[work.order] = answerOf(work, draw);
    }
  }

  /** One failed decode fails everything in it; each piece of work gets a second chance in a batch of its own. */
  async #retryAlone(parts: readonly Part[], answers: (BatchAnswer | null)[], reason: unknown): Promise<void> {
    for (const { work, position } of parts) await this.#slots.cut(work.slot, position);
    const [only] = parts;
    if (only && parts.length === 1) {
      only.work.failure = `llama.cpp could not evaluate it: ${(reason as Error).message}`;
      return;
    }
    for (const part of parts) await this.#evaluate([part], answers);
  }
}

/** Null when no token is wanted, or none could be drawn. */
function answerOf(work: AcceptedWork, draw: PromiseSettledResult<Draw | false>): BatchAnswer | null {
  try {
    if (draw.status === "rejected") throw draw.reason;
    if (draw.value === false) return null;
    if (draw.value.token >= 0) return work.request.answer(draw.value);
    work.failure = "The sampling options left no token to choose from.";
  } catch (error) {
    work.failure = `No token could be drawn: ${(error as Error).message}`;
  }
  return null;
}
