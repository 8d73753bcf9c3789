/** The engine port on llama.cpp, inside the engine's own process. Decides nothing: it does what each batch says. */
import type {
  Batch,
  BatchResult,
  EncodedPrompt,
  EngineDescription,
  EnginePort,
  EngineRequest,
  PromptSource,
} from "../../core/contract/engine";
import type { RequestId } from "../../core/contract/ids";
import type { BatchRunner } from "./batch-runner";
import type { PromptEncoder } from "./prompt-encoder";

export interface LlamaEngineParts {
  readonly description: EngineDescription;
  readonly runner: BatchRunner;
  readonly encoder: PromptEncoder;
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
    await this.#lastRun.catch(() => undefined);
    await this.#parts.dispose();
  }
}
