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
  type EmbedOptions,
  type EncodedPrompt,
  type EngineDescription,
  EngineLost,
  type EngineObserver,
  type EnginePort,
  type EngineRequest,
  PromptRefused,
  type PromptSource,
  PromptTooLong,
  type SequenceOperation,
  type TokenizeOptions,
} from "../../core/contract/engine";
import type { Milliseconds, RequestId, Token } from "../../core/contract/ids";
import { TextStream } from "../../native-models/engine/text-stream";
import { scriptedDescription } from "./scripted-description";
import { drawToken, logprobOf, vectorOf } from "./scripted-draw";
import type { ScriptedOptions } from "./scripted-options";
import { ScriptedSlots } from "./scripted-slots";
import { textOf, wordsToTokens } from "./scripted-tokens";

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
    const tools = (source.tools ?? []).flatMap(({ name, description = "" }) =>
      this.#words(`<tool> ${name} ${description}`),
    );
    const messages = source.messages.map(({ role, content }) => this.#words(`<${role}> ${content}`));
    const end = source.messages.findIndex(({ role }) => role !== "system");
    const systemMessages = end < 0 ? messages : messages.slice(0, end);
    const prefixTokens = tools.length + systemMessages.flat().length;
    return { tokens: [...tools, ...messages.flat()], prefixTokens };
  }

  async tokenize(text: string, { addBos }: TokenizeOptions): Promise<Token[]> {
    this.#checkAlive();
    return addBos ? [0, ...this.#words(text)] : this.#words(text);
  }

  async detokenize(tokens: readonly Token[]): Promise<string> {
    this.#checkTokens(tokens);
    return textOf(tokens);
  }

  async embed(inputs: readonly (readonly Token[])[], { normalize }: EmbedOptions): Promise<number[][]> {
    for (const tokens of inputs) {
      this.#checkTokens(tokens);
      if (tokens.length === 0) throw new PromptRefused("There was no token to embed.");
      const { slotTokens } = this.description;
      if (tokens.length > slotTokens) throw new PromptTooLong(tokens.length, slotTokens);
    }
    return inputs.map((tokens) => vectorOf(tokens, this.description.embeddingSize, normalize));
  }

  /** It knows no more of grammars than that they have a root. */
  async checkGrammar(grammar: string): Promise<void> {
    this.#checkAlive();
    if (!hasRoot(grammar)) throw new PromptRefused("The grammar has no rule named root.");
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
      const { grammar } = open.request.sampling;
      if (grammar !== undefined && !hasRoot(grammar)) {
        failures.push({ requestId: piece.requestId, message: "The grammar has no rule named root." });
        continue;
      }
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
    const { vocabularySize } = this.description;
    const endToken = this.#options.endToken ?? null;
    const scripted = this.#options.script?.(requestId, open.generatedTokens) ?? null;
    const token = scripted ?? drawToken({ held, sampling, vocabularySize, endToken });
    open.generatedTokens++;
    const { topLogprobs } = sampling;
    const logprob = topLogprobs === undefined ? {} : { logprob: logprobOf(token, topLogprobs, vocabularySize) };
    if (token === endToken) {
      return { requestId, token, text: open.text.finish(), heldText: "", ended: "end_of_sequence", ...logprob };
    }
    const { text, stopText } = open.text.push(token);
    const { heldText } = open.text;
    if (stopText === null) return { requestId, token, text, heldText, ended: null, ...logprob };
    return { requestId, token, text, heldText, ended: "stop_text", stopText, ...logprob };
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

  #checkTokens(tokens: readonly Token[]): void {
    this.#checkAlive();
    const badToken = tokens.find((token) => !this.#isToken(token));
    if (badToken !== undefined) throw new PromptRefused(`${badToken} is not a token of this model.`);
  }

  #isToken(token: Token): boolean {
    return Number.isInteger(token) && token >= 0 && token < this.description.vocabularySize;
  }

  #checkAlive(): void {
    if (this.#end !== null) throw new EngineLost(this.#end);
  }
}

function hasRoot(grammar: string): boolean {
  return /^root\s*::=/m.test(grammar);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
