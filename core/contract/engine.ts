/**
 * The engine as the rest of the app sees it: a port that evaluates one batch at a time and knows nothing of agents,
 * queues or policies. Three implementations obey it: llama.cpp, the scripted one for tests, the simulated one in core/sim.
 */
import { contextLengthMessage } from "./context-length";
import type { Bytes, Milliseconds, RequestId, SlotIndex, Token } from "./ids";

/** How the next token is drawn. Numbers are in the ranges of OpenAI's API; absent = llama.cpp's neutral value. */
export interface SamplingOptions {
  /** 0 = greedy. */
  readonly temperature: number;
  readonly topP: number;
  readonly topK?: number;
  readonly minP?: number;
  /** -2..2 */
  readonly presencePenalty?: number;
  /** -2..2 */
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  /** 0..1, keeps tokens whose surprise is near the expected one. */
  readonly typicalP?: number;
  /** Above 0; 1 = none. Counts the answer's own tokens, as the other penalties do. */
  readonly repeatPenalty?: number;
  /** Added to the logits of single tokens, -100..100; at -100 the token is never drawn. */
  readonly logitBias?: readonly { readonly token: Token; readonly bias: number }[];
  /** GBNF that the whole answer has to obey. */
  readonly grammar?: string;
  /** 0..20: each answer brings its token's log probability and those of so many of the likeliest; absent = neither. */
  readonly topLogprobs?: number;
  /** The end-of-sequence token is never drawn: the answer ends by its length or a stop text. */
  readonly ignoreEndOfSequence?: boolean;
}

/** What the engine has to know of a request before its first token; sent again after the engine was restarted. */
export interface EngineRequest {
  readonly requestId: RequestId;
  readonly sampling: SamplingOptions;
  /** Texts that end the answer; never part of it. */
  readonly stop: readonly string[];
  /** Tokens drawn before a restart: they set the sampler's penalties and the text decoder, and are not sent again. */
  readonly generated: readonly Token[];
}

/**
 * Changes of what a slot holds, done in order before the batch is evaluated.
 * `copy` gives `to` everything `from` holds; `cut` drops every token from position `length` on. `save` and `restore` move
 * so many tokens to and from the warm store in RAM; an engine that has none is never sent them. Their slot is null where
 * a shared prefix is moved that belongs to no slot (token pool).
 */
export type SequenceOperation =
  | { readonly kind: "copy"; readonly from: SlotIndex; readonly to: SlotIndex }
  | { readonly kind: "cut"; readonly slot: SlotIndex; readonly length: number }
  | { readonly kind: "save"; readonly slot: SlotIndex | null; readonly entry: number; readonly tokens: number }
  | { readonly kind: "restore"; readonly slot: SlotIndex | null; readonly entry: number; readonly tokens: number };

/** Tokens of one request to evaluate in this batch; one token = a decode step, more = a piece of its prompt. */
export interface BatchWork {
  readonly requestId: RequestId;
  readonly slot: SlotIndex;
  /** Position of the first token, equal to the number of tokens the slot holds. */
  readonly position: number;
  readonly tokens: readonly Token[];
  /** True when the last of `tokens` is the newest known one, so that the next is to be drawn. */
  readonly wantsToken: boolean;
}

export interface Batch {
  readonly batchId: number;
  readonly operations: readonly SequenceOperation[];
  readonly work: readonly BatchWork[];
  /**
   * Decode steps the engine may do in a row without asking, each with the tokens drawn in the one before; at least 1, and
   * more only where `allowsSteps` holds. It ends sooner after a step in which a request ended or failed, or when interrupted.
   */
  readonly steps: number;
}

export interface BatchAnswer {
  readonly requestId: RequestId;
  readonly token: Token;
  /** New text that is safe to send: whole characters, no beginning of a stop text. May be empty. */
  readonly text: string;
  /** Text kept back because it might become a stop text; sent only if the answer ends for its length. */
  readonly heldText: string;
  readonly ended: "end_of_sequence" | "stop_text" | null;
  /** The stop text that ended it; only with `ended: "stop_text"`. */
  readonly stopText?: string;
  /** Only for a request with `topLogprobs`. */
  readonly logprob?: TokenLogprob;
}

/** How likely the model held one token, before temperature and the other sampling options. */
export interface TokenLogprob extends TokenChance {
  /** The likeliest tokens, best first. */
  readonly top: readonly TokenChance[];
}

export interface TokenChance {
  readonly token: Token;
  /** UTF-8 bytes of the token's text; part of a character where the token is one. */
  readonly bytes: readonly number[];
  /** Natural logarithm, 0 or less. */
  readonly logprob: number;
}

/** What came of one step of a batch. */
export interface BatchResult {
  readonly batchId: number;
  /** Time the engine spent in this step on operations, evaluation and sampling. */
  readonly durationMs: Milliseconds;
  /** One for each piece of work with `wantsToken`, in the order of the work. */
  readonly answers: readonly BatchAnswer[];
  /** Requests whose own work was refused (a bad token, no room); the rest of the batch was evaluated. */
  readonly failures: readonly { readonly requestId: RequestId; readonly message: string }[];
}

/** What things cost on this machine, in milliseconds; measured when the model was loaded. */
export interface CostProfile {
  readonly prefillMsPerToken: Milliseconds;
  /** Entry n-1 = one decode step with n running sequences, sampling included. */
  readonly stepMs: readonly Milliseconds[];
  /** One copy of a slot, including what it adds to the next batch. */
  readonly copyMs: Milliseconds;
  /** Moving one token of KV cache to the warm store and back; absent where there is none. */
  readonly saveMsPerToken?: Milliseconds;
  readonly restoreMsPerToken?: Milliseconds;
  readonly origin: "calibrated" | "given";
}

export interface EngineDescription {
  /** Name in the API, e.g. `SmolLM2-135M-Instruct`. */
  readonly modelId: string;
  readonly modelPath: string;
  readonly quantization: string;
  readonly parameterCount: number;
  readonly fileBytes: Bytes;
  /** Random weights made by this app: everything works but the text means nothing. */
  readonly noiseModel: boolean;
  readonly slots: number;
  /** Tokens one slot can hold, prompt and answer together. */
  readonly slotTokens: number;
  readonly trainedContextTokens: number;
  readonly vocabularySize: number;
  readonly kvBytesPerToken: Bytes;
  readonly gpu: {
    readonly requested: "auto" | "metal" | "cuda" | "vulkan" | "cpu";
    readonly effective: "metal" | "cuda" | "vulkan" | "cpu";
    readonly layersOffloaded: number;
    readonly layersTotal: number;
    readonly deviceNames: readonly string[];
  };
  readonly threads: {
    readonly prefill: number;
    /** Entry n-1 = threads for a decode step with n running sequences. */
    readonly decode: readonly number[];
  };
  readonly flashAttention: boolean;
  readonly chat: ChatAbilities;
  /** Numbers in one vector of `embed`. */
  readonly embeddingSize: number;
  /** Sampling options that this engine does not have; a request with one of them fails and is better refused before. */
  readonly unsupportedSampling: readonly (keyof SamplingOptions)[];
  readonly costs: CostProfile;
  /** Version of llama.cpp and of its binding. */
  readonly build: string;
  readonly processId: number;
}

/** How a model writes the calls of tools, as its template shows earlier ones to it; `generic` = no way of its own is known. */
export type ToolFormat =
  /** `<tool_call>{"name": ..., "arguments": {...}}</tool_call>` (Qwen 2.5 and 3, Hermes) */
  | "hermes"
  /** `{"name": ..., "parameters": {...}}` as the whole turn, sometimes after `<|python_tag|>` (Llama 3.1 to 3.3) */
  | "llama3"
  /** `[TOOL_CALLS][{"name": ..., "arguments": {...}}]` (Mistral) */
  | "mistral"
  /** `<function=name>{...}</function>` (Functionary 3.1) or `>>>name` and the arguments (3.2) */
  | "functionary"
  /** `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>` (Qwen 3 Coder) */
  | "qwen-coder"
  /** Between `<｜tool▁calls▁begin｜>` and `<｜tool▁calls▁end｜>` (DeepSeek V3 and R1) */
  | "deepseek"
  /** `<|START_ACTION|>[...]<|END_ACTION|>` (Command R7B) */
  | "command-r"
  /** `<|tool_call|>[...]` or `functools[...]` (Granite 3, Phi 4, Firefunction) */
  | "list"
  | "generic";

/** What the model's chat template can do; found out by rendering small conversations with it. */
export interface ChatAbilities {
  /** It writes the descriptions of tools into the prompt. */
  readonly templateKnowsTools: boolean;
  readonly toolFormat: ToolFormat;
  /** It has a switch for thinking, opens a thought itself or shows earlier ones. */
  readonly templateKnowsThinking: boolean;
}

export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly name?: string;
  /** Of an assistant message. */
  readonly toolCalls?: readonly ToolCall[];
  /** Of a tool message: the call that it answers. */
  readonly toolCallId?: string;
  /** What the assistant thought before its content; a template may show it to the model again. */
  readonly reasoning?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

/** A function the model may call. */
export interface ToolDescription {
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type PromptSource =
  | {
      readonly kind: "chat";
      readonly messages: readonly ChatMessage[];
      /** Handed to the template; only where `EngineDescription.chat.templateKnowsTools`. */
      readonly tools?: readonly ToolDescription[];
      /** Further variables of the template, e.g. `{ enable_thinking: false }`. */
      readonly templateOptions?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tokens"; readonly tokens: readonly Token[] };

export interface EncodedPrompt {
  readonly tokens: readonly Token[];
  /** How many of them are the agent's own: what the template makes of the leading system messages. 0 if there are none. */
  readonly prefixTokens: number;
}

export interface TokenizeOptions {
  /** The model's first token before the text, where the model was trained with one. */
  readonly addBos: boolean;
  /** Marks such as `<|im_end|>` become the tokens they stand for, else they are plain text. */
  readonly special: boolean;
}

export interface EmbedOptions {
  /** Scales each vector to length 1. */
  readonly normalize: boolean;
}

/** Refusal of a prompt by the engine (a template that raises, a number that is no token); never an engine fault. */
export class PromptRefused extends Error {
  override readonly name = "PromptRefused";
}

/** A text so long that tokenising it would hold up everyone else; the count is an estimate from a part of it. */
export class PromptTooLong extends Error {
  override readonly name = "PromptTooLong";
  constructor(
    readonly promptTokens: number,
    readonly slotTokens: number,
  ) {
    super(contextLengthMessage(promptTokens, slotTokens));
  }
}

/** A model that cannot be loaded as asked (no such file, cut off, too little memory); the engine's process is gone again. */
export class ModelRefused extends Error {
  override readonly name = "ModelRefused";
  constructor(
    message: string,
    readonly whatToDo: string,
  ) {
    super(message);
  }
}

/** The engine can no longer be used: its process ended or does not answer. */
export class EngineLost extends Error {
  override readonly name = "EngineLost";
}

/** A loaded model. Every promise rejects with `EngineLost` once the engine is gone; after that only `shutdown` may be called. */
export interface EnginePort {
  readonly description: EngineDescription;
  /**
   * Renders the chat template and tokenises. Rejects with `PromptRefused` when the template raises, with
   * `PromptTooLong` for a text that cannot fit by far.
   */
  encode(source: PromptSource): Promise<EncodedPrompt>;
  /** The tokens of a text alone, without a template. Rejects with `PromptTooLong` as `encode` does. */
  tokenize(text: string, options: TokenizeOptions): Promise<readonly Token[]>;
  /** Special tokens come out as their marks. Rejects with `PromptRefused` for a number that is no token. */
  detokenize(tokens: readonly Token[]): Promise<string>;
  /**
   * One vector for each list of tokens. Rejects with `PromptRefused` for an empty list or a bad token, with
   * `PromptTooLong` for a list longer than a slot. It is evaluated between the batches of the requests that run.
   */
  embed(inputs: readonly (readonly Token[])[], options: EmbedOptions): Promise<readonly (readonly number[])[]>;
  /** Rejects with `PromptRefused` when it is no GBNF grammar; a request with such a one would fail. */
  checkGrammar(grammar: string): Promise<void>;
  /** Must come before the first batch with this request. */
  open(request: EngineRequest): void;
  close(requestId: RequestId): void;
  /** At most one at a time. `onStep` hears every step but the last, in order; the promise gives the last one. */
  run(batch: Batch, onStep?: (result: BatchResult) => void): Promise<BatchResult>;
  /** Ends the batch under way with the step under way. Harmless when nothing runs, and when it is said twice. */
  interrupt(): void;
  /** Frees everything; resolves when the process is gone. */
  shutdown(): Promise<void>;
}

export interface EngineOptions {
  readonly modelPath: string;
  readonly modelId: string;
  readonly noiseModel: boolean;
  readonly slots: number;
  readonly slotTokens: number;
  readonly gpu: "auto" | "metal" | "cuda" | "vulkan" | "cpu";
  readonly gpuLayers: "auto" | number;
  /** "auto" = calibrate; a number fixes prefill and decode threads (bench and tests). */
  readonly threads: "auto" | number;
}

/** Starts an engine. Rejects with `ModelRefused`, or with `EngineLost` when its process ended while it was loading. */
export type StartEngine = (options: EngineOptions, on: EngineObserver) => Promise<EnginePort>;

export interface EngineObserver {
  /** The share of the model that is loaded, 0..1. */
  progress(fraction: number): void;
  /** A line the engine's process printed. */
  log(line: string): void;
  /** Called once when a loaded engine is gone without `shutdown` having been asked for. */
  lost(reason: string): void;
  /** True when the engine's process has not been heard of for some seconds (hung or stopped), false when it is heard again. */
  stalled?(isStalled: boolean): void;
}
