/**
 * Embeddings with the loaded model: what it makes of the last token of a text, or what its file says is to be pooled.
 * They need a context of their own, made at their first use and kept: it costs as much memory as one more slot. Their
 * pieces are evaluated between the steps of the requests that run, never beside them.
 */
import { PromptRefused, PromptTooLong } from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";
import { checkTokens } from "./check-tokens";
import type { NativeContext } from "./native-context";

/** As long as the pieces in which the scheduler has prompts evaluated: nobody's next token waits for more. */
const PIECE_TOKENS = 128;
const SEQUENCE = 0;

export interface EmbedderParts {
  /** Makes a context with one sequence that gives embeddings. */
  readonly createContext: () => Promise<NativeContext>;
  readonly threads: number;
  readonly vocabularySize: number;
  readonly slotTokens: number;
}

export class Embedder {
  readonly #parts: EmbedderParts;
  #context: Promise<NativeContext> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: EmbedderParts) {
    this.#parts = parts;
  }

  /** Rejects with `PromptRefused` or `PromptTooLong` before anything is evaluated. */
  embed(inputs: readonly (readonly Token[])[], normalize: boolean): Promise<number[][]> {
    const result = this.#last.then(() => this.#embedAll(inputs, normalize));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when nothing is evaluated any more. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #embedAll(inputs: readonly (readonly Token[])[], normalize: boolean): Promise<number[][]> {
    for (const tokens of inputs) this.#check(tokens);
    const native = await this.#open();
    const vectors: number[][] = [];
    for (const tokens of inputs) {
      const vector = await this.#vectorOf(native, tokens);
      vectors.push(normalize ? normalized(vector) : vector);
    }
    return vectors;
  }

  #check(tokens: readonly Token[]): void {
    const { vocabularySize, slotTokens } = this.#parts;
    if (tokens.length === 0) throw new PromptRefused("There was no token to embed.");
    if (tokens.length > slotTokens) throw new PromptTooLong(tokens.length, slotTokens);
    checkTokens(tokens, vocabularySize);
  }

  /** One that could not be made is tried again the next time: memory may be free then. */
  #open(): Promise<NativeContext> {
    this.#context ??= this.#parts.createContext().catch((error: Error) => {
      this.#context = null;
      throw new Error(`There is no memory for a context that gives embeddings: ${error.message}`);
    });
    return this.#context;
  }

  async #vectorOf(native: NativeContext, tokens: readonly Token[]): Promise<number[]> {
    native.clear(SEQUENCE);
    native.setThreads(this.#parts.threads);
    for (let from = 0; from < tokens.length; from += PIECE_TOKENS) {
      const piece = Uint32Array.from(tokens.slice(from, from + PIECE_TOKENS));
      native.beginBatch(piece.length);
      native.add(SEQUENCE, from, piece, from + piece.length === tokens.length);
      await native.decode();
    }
    return native.embedding(tokens.length);
  }
}

function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((number) => number / length) : [...vector];
}
