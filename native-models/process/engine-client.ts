/**
 * The engine port as the owner holds it: every call is a message to the engine's process. Must never leave a promise
 * hanging: when the process ends, all that wait are told so.
 */
import {
  type Batch,
  type BatchResult,
  type EmbedOptions,
  type EncodedPrompt,
  type EngineDescription,
  EngineLost,
  type EngineObserver,
  type EnginePort,
  type EngineRequest,
  type PromptSource,
  type TokenizeOptions,
} from "../../core/contract/engine";
import type { RequestId, Token } from "../../core/contract/ids";
import { isFarTooLong, lettersOf, tooLong } from "../engine/prompt-length";
import { errorOf } from "./call-failure";
import { type Call, type CallAnswer, readAnswer } from "./calls";
import type { EngineProcess } from "./engine-process";
import type { FromEngine } from "./messages";

/** A decode cannot be broken off; longer than this nobody waits for one that was asked to end. */
const SHUTDOWN_MS_MAX = 5000;

type OnStep = (result: BatchResult) => void;

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

export class EngineClient implements EnginePort {
  readonly description: EngineDescription;
  readonly #process: EngineProcess;
  readonly #observer: EngineObserver;
  readonly #calls = new Map<number, Waiting<unknown>>();
  readonly #gone: Promise<void>;
  #run: (Waiting<BatchResult> & { readonly batchId: number; readonly onStep: OnStep | undefined }) | null = null;
  #lastCallId = 0;
  #end: { readonly reason: string } | null = null;
  #isShuttingDown = false;
  #resolveGone: () => void = () => undefined;

  constructor(process: EngineProcess, description: EngineDescription, observer: EngineObserver) {
    this.#process = process;
    this.description = description;
    this.#observer = observer;
    this.#gone = new Promise((resolve) => {
      this.#resolveGone = resolve;
    });
  }

  async encode(source: PromptSource): Promise<EncodedPrompt> {
    const { slotTokens } = this.description;
    const { characters, sample } = lettersOf(source);
    if (!isFarTooLong(characters, slotTokens)) return this.#ask({ name: "encode", source });
    const sampleTokens = await this.tokenize(sample, { addBos: false, special: true });
    throw tooLong(characters, sample, sampleTokens.length, slotTokens);
  }

  tokenize(text: string, options: TokenizeOptions): Promise<readonly Token[]> {
    return this.#ask({ name: "tokenize", text, options });
  }

  detokenize(tokens: readonly Token[]): Promise<string> {
    return this.#ask({ name: "detokenize", tokens });
  }

  embed(inputs: readonly (readonly Token[])[], { normalize }: EmbedOptions): Promise<readonly (readonly number[])[]> {
    return this.#ask({ name: "embed", inputs, normalize });
  }

  async checkGrammar(grammar: string): Promise<void> {
    await this.#ask({ name: "check_grammar", grammar });
  }

  open(request: EngineRequest): void {
    if (!this.#end) this.#process.send({ kind: "open", request });
  }

  close(requestId: RequestId): void {
    if (!this.#end) this.#process.send({ kind: "close", requestId });
  }

  run(batch: Batch, onStep?: OnStep): Promise<BatchResult> {
    return this.#promise((waiting) => {
      if (this.#run) throw new Error("A batch was sent while another was being evaluated.");
      this.#run = { ...waiting, batchId: batch.batchId, onStep };
      this.#process.send({ kind: "run", batch });
    });
  }

  interrupt(): void {
    if (!this.#end && this.#run) this.#process.send({ kind: "interrupt" });
  }

  async shutdown(): Promise<void> {
    if (!this.#isShuttingDown) {
      this.#isShuttingDown = true;
      this.#rejectAll("The engine was shut down.");
      this.#process.send({ kind: "shutdown" });
      const timer = setTimeout(() => this.#process.kill(), SHUTDOWN_MS_MAX);
      this.#gone.then(() => clearTimeout(timer));
    }
    await this.#gone;
  }

  /** The starter hands over every message that came after the model was loaded. */
  take(message: FromEngine): void {
    switch (message.kind) {
      case "stepped":
        if (this.#run?.batchId === message.result.batchId) this.#run.onStep?.(message.result);
        break;
      case "ran":
        this.#takeRun(message.result.batchId)?.resolve(message.result);
        break;
      case "run_failed":
        this.#takeRun(message.batchId)?.reject(new Error(message.message));
        break;
      case "answered":
        this.#takeCall(message.callId)?.resolve(message.value);
        break;
      case "call_failed":
        this.#takeCall(message.callId)?.reject(errorOf(message.failure));
        break;
      case "started":
      case "heartbeat":
      case "progress":
      case "loaded":
      case "load_refused":
      case "load_failed":
        break;
      default:
        message satisfies never;
    }
  }

  /** The starter tells when the process has ended. */
  takeExit(reason: string): void {
    this.#resolveGone();
    if (this.#isShuttingDown) return;
    this.#rejectAll(reason);
    this.#observer.lost(reason);
  }

  async #ask<Asked extends Call>(call: Asked): Promise<CallAnswer<Asked["name"]>> {
    const value = await this.#promise<unknown>((waiting) => {
      const callId = ++this.#lastCallId;
      this.#calls.set(callId, waiting);
      this.#process.send({ kind: "call", callId, call });
    });
    return readAnswer<Asked["name"]>(call.name, value);
  }

  #promise<Value>(send: (waiting: Waiting<Value>) => void): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.#end) reject(new EngineLost(this.#end.reason));
      else send({ resolve, reject });
    });
  }

  #rejectAll(reason: string): void {
    this.#end ??= { reason };
    const error = new EngineLost(reason);
    for (const waiting of this.#calls.values()) waiting.reject(error);
    this.#calls.clear();
    this.#run?.reject(error);
    this.#run = null;
  }

  #takeRun(batchId: number): Waiting<BatchResult> | null {
    const run = this.#run;
    if (run?.batchId !== batchId) return null;
    this.#run = null;
    return run;
  }

  #takeCall(callId: number): Waiting<unknown> | undefined {
    const waiting = this.#calls.get(callId);
    this.#calls.delete(callId);
    return waiting;
  }
}
