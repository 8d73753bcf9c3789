/**
 * The only file that knows the inside of node-llama-cpp: its native batch, sampler and tokenizer calls, without the
 * library's own bookkeeping. It must never decide anything; wrong ids or positions here can end the process.
 */
import type { Llama, LlamaContext, LlamaModel } from "node-llama-cpp";
import { getModuleVersion } from "node-llama-cpp";
import type { SlotIndex, Token } from "../../core/contract/ids";
import { hasOneWorkerThread } from "./worker-thread";

/** The binding these calls were checked against; another version may have changed any of them. */
export const NODE_LLAMA_CPP_VERSION = "3.22.1";

export interface SamplerConfig {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly seed?: number;
  readonly repeatPenalty?: number;
  readonly repeatPenaltyMaxTokens?: number;
  readonly repeatPenaltyTokens?: Uint32Array;
  readonly repeatPenaltyPresencePenalty?: number;
  readonly repeatPenaltyFrequencyPenalty?: number;
}

export interface NativeSampler {
  applyConfig(config: SamplerConfig): void;
  dispose(): void;
}

interface AddonContext {
  initBatch(tokenCount: number): void;
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  decodeBatch(): Promise<void>;
  sampleToken(logitIndex: number, sampler: NativeSampler): Promise<number>;
  removeTokenCellsFromSequence(sequence: number, from: number, to: number): boolean;
  copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>;
  disposeSequence(sequence: number): void;
  getSequenceKvCacheMinPosition(sequence: number): number;
  getSequenceKvCacheMaxPosition(sequence: number): number;
  setThreads(threads: number): void;
}

interface AddonModel {
  tokenize(text: string, parseSpecial: boolean): Uint32Array;
  detokenize(tokens: Uint32Array, renderSpecial: boolean): string;
  isEogToken(token: number): boolean;
}

interface AddonBindings {
  readonly AddonSampler: new (model: AddonModel) => NativeSampler;
}

const CONTEXT_MEMBERS: readonly (keyof AddonContext)[] = [
  "initBatch",
  "addToBatch",
  "decodeBatch",
  "sampleToken",
  "removeTokenCellsFromSequence",
  "copySequenceStateFromOtherSequence",
  "disposeSequence",
  "getSequenceKvCacheMinPosition",
  "getSequenceKvCacheMaxPosition",
  "setThreads",
];
const MODEL_MEMBERS: readonly (keyof AddonModel)[] = ["tokenize", "detokenize", "isEogToken"];

const NO_LOGITS = new Uint32Array();

export class NativeContext {
  readonly #context: AddonContext;
  readonly #model: AddonModel;
  readonly #bindings: AddonBindings;
  readonly #lastIndex = new Uint32Array(1);
  /** A draw may be queued while its decode is still under way; else it must not begin before the decode has ended. */
  readonly runsInOrder = hasOneWorkerThread();

  /** Throws when the library is another version or a member is missing. */
  constructor(
    llama: Llama,
    model: LlamaModel,
    context: LlamaContext,
    /** Most tokens that one decode may take. */
    readonly batchTokensMax: number,
  ) {
    const bindings = member(llama, "_bindings");
    const nativeContext = member(context, "_ctx");
    const nativeModel = member(model, "_model");
    checkMembers("context", nativeContext, CONTEXT_MEMBERS);
    checkMembers("model", nativeModel, MODEL_MEMBERS);
    checkMembers("bindings", bindings, ["AddonSampler"]);
    this.#bindings = bindings as AddonBindings;
    this.#context = nativeContext as AddonContext;
    this.#model = nativeModel as AddonModel;
  }

  beginBatch(tokenCount: number): void {
    this.#context.initBatch(tokenCount);
  }

  /** Gives the index to sample from when the logits of the last token are wanted, else -1. */
  add(slot: SlotIndex, position: number, tokens: Uint32Array, wantsLogits: boolean): number {
    this.#lastIndex[0] = tokens.length - 1;
    const indexes = this.#context.addToBatch(slot, position, tokens, wantsLogits ? this.#lastIndex : NO_LOGITS);
    return indexes[0] ?? -1;
  }

  /** Rejects when llama.cpp could not evaluate the batch; then nothing of it may be relied on. */
  decode(): Promise<void> {
    return this.#context.decodeBatch();
  }

  /** Gives -1 when no token was left to choose from. */
  sample(logitIndex: number, sampler: NativeSampler): Promise<Token> {
    return this.#context.sampleToken(logitIndex, sampler);
  }

  /** llama.cpp can only copy a whole stream between slots; the data moves at the start of the next decode. */
  async copy(from: SlotIndex, to: SlotIndex): Promise<void> {
    await this.#context.copySequenceStateFromOtherSequence(to, from);
  }

  /** False when the model's memory cannot go back to this length. */
  cut(slot: SlotIndex, length: number): boolean {
    return this.#context.removeTokenCellsFromSequence(slot, length, -1);
  }

  clear(slot: SlotIndex): void {
    this.#context.disposeSequence(slot);
  }

  /** -1 for an empty slot. */
  minPosition(slot: SlotIndex): number {
    return this.#context.getSequenceKvCacheMinPosition(slot);
  }

  /** -1 for an empty slot. */
  maxPosition(slot: SlotIndex): number {
    return this.#context.getSequenceKvCacheMaxPosition(slot);
  }

  setThreads(threads: number): void {
    this.#context.setThreads(threads);
  }

  createSampler(config: SamplerConfig): NativeSampler {
    const sampler = new this.#bindings.AddonSampler(this.#model);
    sampler.applyConfig(config);
    return sampler;
  }

  /** `special`: marks such as <|im_end|> become the tokens they stand for, else they are plain text. */
  tokenize(text: string, special: boolean): Uint32Array {
    return text === "" ? new Uint32Array() : this.#model.tokenize(text, special);
  }

  /** Bytes that are not yet a whole character come out as U+FFFD; control tokens as nothing. */
  detokenize(tokens: readonly Token[]): string {
    return tokens.length === 0 ? "" : this.#model.detokenize(Uint32Array.from(tokens), false);
  }

  isEndOfGeneration(token: Token): boolean {
    return this.#model.isEogToken(token);
  }
}

/** Throws when the installed library is not the one this file was written for. */
export async function checkLibraryVersion(): Promise<void> {
  const version = await getModuleVersion();
  if (version === NODE_LLAMA_CPP_VERSION) return;
  throw new Error(
    `node-llama-cpp ${version} is installed, this app drives the inside of ${NODE_LLAMA_CPP_VERSION}. Run "npm install" again to get that version.`,
  );
}

function member(owner: object, name: string): unknown {
  return (owner as Record<string, unknown>)[name];
}

function checkMembers(what: string, value: unknown, names: readonly string[]): void {
  for (const name of names) {
    if (typeof value === "object" && value !== null && typeof member(value, name) === "function") continue;
    throw new Error(
      `node-llama-cpp's native ${what} has no "${name}". The installed copy is damaged or changed: run "npm install" again.`,
    );
  }
}
