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
  type CostProfile,
  type EncodedPrompt,
  type EngineDescription,
  EngineLost,
  type EngineObserver,
  type EnginePort,
  type EngineRequest,
  PromptRefused,
  type PromptSource,
  type SequenceOperation,
  type StartEngine,
} from "../../core/contract/engine";
import type { Milliseconds, RequestId, SlotIndex, Token } from "../../core/contract/ids";
import { TextStream } from "../../native-models/engine/text-stream";

export interface ScriptedOptions {
  readonly slots?: number;
  readonly slotTokens?: number;
  readonly vocabularySize?: number;
  readonly modelId?: string;
  readonly costs?: CostProfile;
  /** The token that ends an answer; none by default, so that every answer runs to its limit. */
  readonly endToken?: Token | null;
  /** Draws this instead of the hash when it gives a token. */
  readonly script?: (requestId: RequestId, generatedTokens: number) => Token | null;
  /** The engine dies instead of evaluating its n-th step, counted from 1 over all batches. */
  readonly diesAtStep?: number;
  /** Says why a prompt is refused, or null. */
  readonly refuses?: (source: PromptSource) => string | null;
  /** How a step of this virtual duration is waited for; by default one turn of the event loop. */
  readonly wait?: (durationMs: Milliseconds) => Promise<void>;
}

const COSTS: CostProfile = {
  prefillMsPerToken: 1,
  stepMs: [10, 12, 14, 16, 18, 20, 22, 24],
  copyMs: 5,
  origin: "given",
};
const SILENT: EngineObserver = { progress: () => undefined, log: () => undefined, lost: () => undefined };

interface OpenRequest {
  readonly request: EngineRequest;
  readonly text: TextStream;
  generatedTokens: number;
}

export class ScriptedEngine implements EnginePort {
  readonly description: EngineDescription;
  /** What every slot holds; for tests to look at. */
  readonly slots: Token[][];
  /** Every batch that was evaluated. */
  readonly batches: Batch[] = [];
  /** Sum of the durations that were reported. */
  busyMs: Milliseconds = 0;
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
    this.description = describe(options);
    this.slots = Array.from({ length: this.description.slots }, () => []);
  }

  /** Ids of the requests that are open; for tests to look at. */
  get openRequests(): readonly RequestId[] {
    return [...this.#requests.keys()];
  }

  async encode(source: PromptSource): Promise<EncodedPrompt> {
    this.#checkAlive();
    const refusal = this.#options.refuses?.(source) ?? null;
    if (refusal !== null) throw new PromptRefused(refusal);
    if (source.kind === "text") return { tokens: this.#wordsToTokens(source.text), prefixTokens: 0 };
    const messages = source.messages.map(({ role, content }) => this.#wordsToTokens(`<${role}> ${content}`));
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
    for (const operation of batch.operations) this.#apply(operation);
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
      const open = this.#check(piece);
      const badToken = piece.tokens.find((token) => !this.#isToken(token));
      if (badToken !== undefined) {
        failures.push({ requestId: piece.requestId, message: `${badToken} is not a token of this model.` });
        continue;
      }
      const held = this.#held(piece.slot);
      for (const token of piece.tokens) held.push(token);
      if (piece.wantsToken) answers.push(this.#answer(open, held));
    }
    return { batchId, durationMs: this.#durationOf(operations, work), answers, failures };
  }

  #check({ requestId, slot, position, tokens }: BatchWork): OpenRequest {
    const open = this.#requests.get(requestId);
    const held = this.#held(slot).length;
    if (!open) throw new Error(`Broken invariant: the request ${requestId} is not open.`);
    if (tokens.length === 0) throw new Error(`Broken invariant: ${requestId} was given no token to evaluate.`);
    if (position !== held) {
      throw new Error(`Broken invariant: work begins at position ${position}, but slot ${slot} holds ${held} tokens.`);
    }
    if (held + tokens.length > this.description.slotTokens) {
      throw new Error(`Broken invariant: ${held + tokens.length} tokens in a slot for ${this.description.slotTokens}.`);
    }
    return open;
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

  #apply(operation: SequenceOperation): void {
    switch (operation.kind) {
      case "copy":
        if (operation.from !== operation.to) this.#replace(operation.to, [...this.#held(operation.from)]);
        break;
      case "cut": {
        const held = this.#held(operation.slot);
        if (operation.length < 0 || operation.length > held.length) {
          throw new Error(
            `Broken invariant: slot ${operation.slot} holds ${held.length} tokens, cut to ${operation.length}.`,
          );
        }
        held.length = operation.length;
        break;
      }
      default:
        operation satisfies never;
    }
  }

  #durationOf(operations: readonly SequenceOperation[], work: readonly BatchWork[]): Milliseconds {
    const { costs } = this.description;
    const copies = operations.filter(({ kind }) => kind === "copy").length;
    const steps = work.filter(({ tokens }) => tokens.length === 1).length;
    const pieceTokens = work.reduce((sum, { tokens }) => sum + (tokens.length > 1 ? tokens.length : 0), 0);
    const stepMs = steps === 0 ? 0 : (costs.stepMs[Math.min(steps, costs.stepMs.length) - 1] ?? 0);
    return copies * costs.copyMs + pieceTokens * costs.prefillMsPerToken + stepMs;
  }

  #wordsToTokens(text: string): Token[] {
    const words = text.split(/\s+/).filter((word) => word !== "");
    return words.map(
      (word) =>
        hashOf(
          [...word].map((character) => character.codePointAt(0) ?? 0),
          0,
        ) % this.description.vocabularySize,
    );
  }

  #held(slot: SlotIndex): Token[] {
    const held = this.slots[slot];
    if (!held) throw new Error(`Broken invariant: there is no slot ${slot}.`);
    return held;
  }

  #replace(slot: SlotIndex, tokens: Token[]): void {
    this.#held(slot);
    this.slots[slot] = tokens;
  }

  #isToken(token: Token): boolean {
    return Number.isInteger(token) && token >= 0 && token < this.description.vocabularySize;
  }

  #checkAlive(): void {
    if (this.#end !== null) throw new EngineLost(this.#end);
  }
}

/** A `StartEngine` that gives scripted engines; `engines` lists them, newest last. */
export function scriptedStarter(options: ScriptedOptions | ((start: number) => ScriptedOptions) = {}): {
  readonly start: StartEngine;
  readonly engines: readonly ScriptedEngine[];
} {
  const engines: ScriptedEngine[] = [];
  const start: StartEngine = async ({ slots, slotTokens, modelId }, observer) => {
    const chosen = typeof options === "function" ? options(engines.length) : options;
    const engine = new ScriptedEngine({ slots, slotTokens, modelId, ...chosen }, observer);
    engines.push(engine);
    observer.progress(1);
    return engine;
  };
  return { start, engines };
}

/** FNV-1a over the numbers, then mixed, so that near contents do not give near tokens. */
function hashOf(numbers: readonly number[], seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const number of numbers) hash = Math.imul(hash ^ number, 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => ` w${token}`).join("");
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function describe({
  slots = 4,
  slotTokens = 2048,
  vocabularySize = 1000,
  modelId = "scripted",
  costs = COSTS,
}: ScriptedOptions): EngineDescription {
  return {
    modelId,
    modelPath: "/models/scripted.gguf",
    quantization: "none",
    parameterCount: 0,
    fileBytes: 0,
    noiseModel: false,
    slots,
    slotTokens,
    trainedContextTokens: slotTokens,
    vocabularySize,
    kvBytesPerToken: 1024,
    gpu: { requested: "cpu", effective: "cpu", layersOffloaded: 0, layersTotal: 1, deviceNames: [] },
    threads: { prefill: 1, decode: Array.from({ length: slots }, () => 1) },
    flashAttention: false,
    costs,
    build: "scripted",
    processId: process.pid,
  };
}
