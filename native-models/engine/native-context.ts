/**
 * The only file that knows the inside of node-llama-cpp: its native batch, sampler and tokenizer calls, without the
 * library's own bookkeeping. It must never decide anything; wrong ids or positions here can end the process.
 */
import type { Llama, LlamaContext, LlamaEmbeddingContext, LlamaModel } from "node-llama-cpp";
import { getModuleVersion } from "node-llama-cpp";
import type { SlotIndex, Token } from "../../core/contract/ids";
import type { VocabularyEntry } from "./token-bytes";
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
  readonly tokenBiasKeys?: Uint32Array;
  readonly tokenBiasValues?: Float32Array;
  readonly grammarEvaluationState?: NativeGrammarState;
}

/** A grammar that llama.cpp has read. */
export interface NativeGrammar {
  isTextCompatible(text: string): boolean;
}

/** One answer's place in its grammar. A sampler moves it on with every token it draws. */
export type NativeGrammarState = object & { readonly __nativeGrammarState: never };

/** Token and logit in turns. */
type LogitPairs = readonly number[];

export interface NativeSampler {
  applyConfig(config: SamplerConfig): void;
  dispose(): void;
}

interface AddonContext {
  initBatch(tokenCount: number): void;
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  decodeBatch(): Promise<void>;
  sampleToken(logitIndex: number, sampler: NativeSampler): Promise<number>;
  /** Further: the logits of the candidates that are left, or of `only` these and the drawn one, and the sum of all weights. */
  sampleToken(
    logitIndex: number,
    sampler: NativeSampler,
    probabilities: false,
    confidence: false,
    logits: true | [only: readonly number[], highest: boolean, lowest: boolean, drawn: boolean, top: number],
    totalWeight: boolean,
  ): Promise<[token: number, undefined, undefined, LogitPairs | undefined, totalWeight: number | undefined]>;
  getEmbedding(tokenCount: number): Float64Array;
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
  getTokenString(token: number): string | undefined;
  getTokenAttributes(token: number): number;
  getVocabularyType(): number;
}

interface SamplerClass {
  new (model: AddonModel): NativeSampler;
  acceptGrammarEvaluationStateToken(state: NativeGrammarState, token: number): void;
}

interface AddonBindings {
  readonly AddonSampler: SamplerClass;
  readonly AddonGrammar: new (
    grammar: string,
    options: { readonly addonExports: AddonBindings; readonly rootRuleName: string },
  ) => NativeGrammar;
  readonly AddonGrammarEvaluationState: new (model: AddonModel, grammar: NativeGrammar) => NativeGrammarState;
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
  "getEmbedding",
];
const MODEL_MEMBERS: readonly (keyof AddonModel)[] = [
  "tokenize",
  "detokenize",
  "isEogToken",
  "getTokenString",
  "getTokenAttributes",
  "getVocabularyType",
];
const BINDINGS: readonly (keyof AddonBindings)[] = ["AddonSampler", "AddonGrammar", "AddonGrammarEvaluationState"];
/** llama.cpp's attributes of tokens that stand in the vocabulary as they are written: unknown, control, added by the user. */
const PLAIN_ATTRIBUTES = 1 | 8 | 16;

const NO_LOGITS = new Uint32Array();

export interface TokenLogits {
  readonly logit: number;
  readonly logSum: number;
  /** Best first. */
  readonly top: readonly (readonly [token: Token, logit: number])[];
}

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
    checkMembers("bindings", bindings, BINDINGS);
    checkMembers("sampler", (bindings as AddonBindings).AddonSampler, ["acceptGrammarEvaluationStateToken"]);
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

  /**
   * The logits as the model gave them, of this token, of the `top` likeliest ones, and the logarithm of the sum of the
   * exponentials of all. Each call needs samplers that nobody else uses at the time: one that takes the best token, and
   * one that leaves the `top` best ones to choose from.
   */
  async logits(
    logitIndex: number,
    token: Token,
    { greedy, best }: { readonly greedy: NativeSampler; readonly best: NativeSampler | null },
  ): Promise<TokenLogits> {
    const [own, candidates] = await Promise.all([
      this.#context.sampleToken(logitIndex, greedy, false, false, [[token], false, false, true, 0], true),
      best === null ? null : this.#context.sampleToken(logitIndex, best, false, false, true, false),
    ]);
    const [likeliest, , , pairs = [], totalWeight = 0] = own;
    const logitOf = new Map(pairsOf(pairs));
    const highest = logitOf.get(likeliest) ?? Number.NaN;
    return {
      logit: logitOf.get(token) ?? Number.NEGATIVE_INFINITY,
      logSum: highest + Math.log(totalWeight),
      top: pairsOf(candidates?.[3] ?? []),
    };
  }

  /** Of the last text that was evaluated; only for a context that was made for embeddings. */
  embedding(tokenCount: number): number[] {
    return Array.from(this.#context.getEmbedding(tokenCount));
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

  /** Throws when llama.cpp cannot read it. */
  createGrammar(text: string): NativeGrammar {
    return new this.#bindings.AddonGrammar(text, { addonExports: this.#bindings, rootRuleName: "root" });
  }

  createGrammarState(grammar: NativeGrammar): NativeGrammarState {
    return new this.#bindings.AddonGrammarEvaluationState(this.#model, grammar);
  }

  /** Throws when the grammar does not allow it there. Must not be given a token that ends the answer. */
  acceptInGrammar(state: NativeGrammarState, token: Token): void {
    this.#bindings.AddonSampler.acceptGrammarEvaluationStateToken(state, token);
  }

  /** `special`: marks such as <|im_end|> become the tokens they stand for, else they are plain text. */
  tokenize(text: string, special: boolean): Uint32Array {
    return text === "" ? new Uint32Array() : this.#model.tokenize(text, special);
  }

  /** Bytes that are not yet a whole character come out as U+FFFD; control tokens as nothing, or as their marks. */
  detokenize(tokens: readonly Token[], withMarks = false): string {
    return tokens.length === 0 ? "" : this.#model.detokenize(Uint32Array.from(tokens), withMarks);
  }

  vocabularyEntry(token: Token): VocabularyEntry {
    return {
      text: this.#model.getTokenString(token) ?? "",
      isPlain: (this.#model.getTokenAttributes(token) & PLAIN_ATTRIBUTES) !== 0,
      vocabulary: this.#model.getVocabularyType(),
    };
  }

  isEndOfGeneration(token: Token): boolean {
    return this.#model.isEogToken(token);
  }
}

/** The native side of the library's context for embeddings: its one sequence is number 0. */
export function embeddingContext(
  llama: Llama,
  model: LlamaModel,
  context: LlamaEmbeddingContext,
  batchTokensMax: number,
): NativeContext {
  return new NativeContext(llama, model, member(context, "_llamaContext") as LlamaContext, batchTokensMax);
}

/** Throws when the installed library is not the one this file was written for. */
export async function checkLibraryVersion(): Promise<void> {
  const version = await getModuleVersion();
  if (version === NODE_LLAMA_CPP_VERSION) return;
  throw new Error(
    `node-llama-cpp ${version} is installed, this app drives the inside of ${NODE_LLAMA_CPP_VERSION}. Run "npm install" again to get that version.`,
  );
}

function pairsOf(flat: LogitPairs): [Token, number][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index] ?? -1, flat[2 * index + 1] ?? 0]);
}

function member(owner: object, name: string): unknown {
  return (owner as Record<string, unknown>)[name];
}

function checkMembers(what: string, value: unknown, names: readonly string[]): void {
  for (const name of names) {
    if (value instanceof Object && typeof member(value, name) === "function") continue;
    throw new Error(
      `node-llama-cpp's native ${what} has no "${name}". The installed copy is damaged or changed: run "npm install" again.`,
    );
  }
}
