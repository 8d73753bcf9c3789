/**
 * An engine in memory for tests: its next token is a hash of everything its slot holds, so any mistake in copying,
 * cutting or positions changes the answer. Must never forgive: a broken invariant rejects the batch with what broke.
 */
import { allowsSteps, isLastStep, nextStep } from "../../core/contract/batch-steps";
import {
  type Batch,
  type BatchAnswer,
  type BatchResult,
  type BatchWork,
  type EncodedPrompt,
  type EngineDescription,
  EngineLost,
  type EngineObserver,
  type EnginePort,
  type EngineRequest,
  PromptRefused,
  type PromptSource,
  type SequenceOperation,
} from "../../core/contract/engine";
import type { Milliseconds, RequestId, Token } from "../../core/contract/ids";
import { TextStream } from "../../native-models/engine/text-stream";
import { scriptedDescription } from "./scripted-description";
import type { ScriptedOptions } from "./scripted-options";
import { ScriptedSlots } from "./scripted-slots";
import { hashOf, textOf, wordsToTokens } from "./scripted-tokens";

const SILENT: EngineObserver = { progress: () => undefined, log: () => undefined, lost: () => undefined };

interface OpenRequest {
  readonly request: EngineRequest;
  readonly text: TextStream;
  generatedTokens: number;
}

export class ScriptedEngine implements EnginePort {
  readonly description: EngineDescription;
  /** Every batch that was evaluated. */
  readonly batches: Batch[] = [];
  /** Sum of the durations that were reported. */
  busyMs: Milliseconds = 0;
  readonly #slots: ScriptedSlots;
  readonly #options: ScriptedOptions;
  readonly #observer: EngineObserver;
  readonly #requests = new Map<RequestId, OpenRequest>();
  #stepsSeen = 0;
  #running = false;
  #isInterrupted = false;
  #end: string | null = null;

  constructor(options: ScriptedOptions = {}, observer: EngineObserver = SILENT) {
    this.#options = options;
    this.#observer = observer;
    this.description = scriptedDescription(options);
    this.#slots = new ScriptedSlots(this.description.slots, this.description.slotTokens);
  }

  /** What every slot holds; for tests to look at. */
  get slots(): readonly (readonly Token[])[] {
    return this.#slots.contents;
  }

  /** Ids of the requests that are open; for tests to look at. */
  get openRequests(): readonly RequestId[] {
    return [...this.#requests.keys()];
  }

  async encode(source: PromptSource): Promise<EncodedPrompt> {
    this.#checkAlive();
    const refusal = this.#options.refuses?.(source) ?? null;
    if (refusal !== null) throw new PromptRefused(refusal);
    if (source.kind === "tokens") return { tokens: source.tokens, prefixTokens: 0 };
    if (source.kind === "text") return { tokens: this.#words(source.text), prefixTokens: 0 };
    const messages = source.messages.map(({ role, content }) => this.#words(`<${role}> ${content}`));
    const end = source.messages.findIndex(({ role }) => role !== "system");
    const systemMessages = end < 0 ? messages : messages.slice(0, end);
    return { tokens: messages.flat(), prefixTokens: systemMessages.flat().length };
  }

  open(request: EngineRequest): void {
    const text = new TextStream(textOf, request.stop);
    for (const token of request.generated) text.push(token);
    this.#requests.set(request.requestId, { request, text, generatedTokens: request.generated.length });
  }

  close(requestId: RequestId): void {
    this.#requests.delete(requestId);
  }

  async run(batch: Batch, onStep?: (result: BatchResult) => void): Promise<BatchResult> {
    this.#checkAlive();
    if (this.#running) throw new Error("A batch was sent while another was being evaluated.");
    if (batch.steps > 1 && !allowsSteps(batch))
      throw new Error("Broken invariant: several steps with a prompt in them.");
    this.#running = true;
    this.#isInterrupted = false;
    try {
      for (let left = batch; ; ) {
        const result = await this.#step(left);
        const isLast = this.#isInterrupted || isLastStep(left, result);
        if (isLast) this.batches.push(batch);
        if (isLast) return result;
        onStep?.(result);
        left = nextStep(left, result.answers);
      }
    } finally {
      this.#running = false;
    }
  }

  interrupt(): void {
    this.#isInterrupted = true;
  }

  async shutdown(): Promise<void> {
    this.#end ??= "The engine was shut down.";
  }

  /** Ends the engine as if its process had been killed. */
  die(reason: string): void {
    if (this.#end !== null) return;
    this.#end = reason;
    this.#observer.lost(reason);
  }

  async #step(batch: Batch): Promise<BatchResult> {
    this.#stepsSeen++;
    if (this.#stepsSeen === this.#options.diesAtStep)
      this.die(`The script ended the engine at step ${this.#stepsSeen}.`);
    this.#checkAlive();
    for (const operation of batch.operations) this.#slots.apply(operation);
    const result = this.#evaluate(batch);
    await (this.#options.wait ?? nextTurn)(result.durationMs);
    this.#checkAlive();
    this.busyMs += result.durationMs;
    return result;
  }

  #evaluate({ batchId, operations, work }: Batch): BatchResult {
    const slots = new Set(work.map(({ slot }) => slot));
    if (slots.size < work.length) throw new Error("Broken invariant: a slot was given work twice in one batch.");
    const answers: BatchAnswer[] = [];
    const failures: { requestId: RequestId; message: string }[] = [];
    for (const piece of work) {
      const open = this.#requests.get(piece.requestId);
      if (!open) throw new Error(`Broken invariant: the request ${piece.requestId} is not open.`);
      this.#slots.check(piece);
      const badToken = piece.tokens.find((token) => !this.#isToken(token));
      if (badToken !== undefined) {
        failures.push({ requestId: piece.requestId, message: `${badToken} is not a token of this model.` });
        continue;
      }
      const held = this.#slots.held(piece.slot);
      for (const token of piece.tokens) held.push(token);
      if (piece.wantsToken) answers.push(this.#answer(open, held));
    }
    return { batchId, durationMs: this.#durationOf(operations, work), answers, failures };
  }

  #answer(open: OpenRequest, held: readonly Token[]): BatchAnswer {
    const { requestId, sampling } = open.request;
    const seed = sampling.temperature > 0 ? (sampling.seed ?? 1) : 0;
    const scripted = this.#options.script?.(requestId, open.generatedTokens) ?? null;
    const token = scripted ?? hashOf(held, seed) % this.description.vocabularySize;
    open.generatedTokens++;
    if (token === (this.#options.endToken ?? null)) {
      return { requestId, token, text: open.text.finish(), heldText: "", ended: "end_of_sequence" };
    }
    const { text, stopped } = open.text.push(token);
    return { requestId, token, text, heldText: open.text.heldText, ended: stopped ? "stop_text" : null };
  }

  #durationOf(operations: readonly SequenceOperation[], work: readonly BatchWork[]): Milliseconds {
    const { costs } = this.description;
    const copies = operations.filter(({ kind }) => kind === "copy").length;
    const steps = work.filter(({ tokens }) => tokens.length === 1).length;
    const pieceTokens = work.reduce((sum, { tokens }) => sum + (tokens.length > 1 ? tokens.length : 0), 0);
    const stepMs = steps === 0 ? 0 : (costs.stepMs[Math.min(steps, costs.stepMs.length) - 1] ?? 0);
    return copies * costs.copyMs + pieceTokens * costs.prefillMsPerToken + stepMs;
  }

  #words(text: string): Token[] {
    return wordsToTokens(text, this.description.vocabularySize);
  }

  #isToken(token: Token): boolean {
    return Number.isInteger(token) && token >= 0 && token < this.description.vocabularySize;
  }

  #checkAlive(): void {
    if (this.#end !== null) throw new EngineLost(this.#end);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
