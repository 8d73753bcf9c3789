/** The engine port on llama.cpp, inside the engine's own process. Decides nothing: it does what each batch says. */
import type {
  Batch,
  BatchResult,
  EmbedOptions,
  EncodedPrompt,
  EngineDescription,
  EnginePort,
  EngineRequest,
  PromptSource,
  TokenizeOptions,
} from "../../core/contract/engine";
import type { RequestId, Token } from "../../core/contract/ids";
import type { BatchRunner } from "./batch-runner";
import type { Embedder } from "./embedder";
import { readGrammar } from "./grammars";
import type { NativeContext } from "./native-context";
import type { PromptEncoder } from "./prompt-encoder";

export interface LlamaEngineParts {
  readonly description: EngineDescription;
  readonly runner: BatchRunner;
  readonly encoder: PromptEncoder;
  readonly embedder: Embedder;
  readonly native: NativeContext;
  /** Frees context, model and library, in this order. */
  readonly dispose: () => Promise<void>;
}

export class LlamaEngine implements EnginePort {
  readonly description: EngineDescription;
  readonly #parts: LlamaEngineParts;
  #lastRun: Promise<unknown> = Promise.resolve();

  constructor(parts: LlamaEngineParts) {
    this.description = parts.description;
    this.#parts = parts;
  }

  async encode(source: PromptSource): Promise<EncodedPrompt> {
    return this.#parts.encoder.encode(source);
  }

  async tokenize(text: string, options: TokenizeOptions): Promise<Token[]> {
    return this.#parts.encoder.tokenize(text, options);
  }

  async detokenize(tokens: readonly Token[]): Promise<string> {
    return this.#parts.encoder.detokenize(tokens);
  }

  embed(inputs: readonly (readonly Token[])[], { normalize }: EmbedOptions): Promise<number[][]> {
    return this.#parts.embedder.embed(inputs, normalize);
  }

  async checkGrammar(grammar: string): Promise<void> {
    readGrammar(this.#parts.native, grammar);
  }

  open(request: EngineRequest): void {
    this.#parts.runner.open(request);
  }

  close(requestId: RequestId): void {
    this.#parts.runner.close(requestId);
  }

  run(batch: Batch, onStep?: (result: BatchResult) => void): Promise<BatchResult> {
    const result = this.#parts.runner.run(batch, onStep);
    this.#lastRun = result;
    return result;
  }

  interrupt(): void {
    this.#parts.runner.interrupt();
  }

  /** Memory must not be freed under a decode, which cannot be broken off: it is waited for. */
  async shutdown(): Promise<void> {
    this.interrupt();
    await Promise.allSettled([this.#lastRun, this.#parts.embedder.idle()]);
    await this.#parts.dispose();
  }
}
