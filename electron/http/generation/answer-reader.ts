/** Reads one answer as it comes: thoughts, content and calls of tools told apart, log probabilities kept with their text. */
import { randomUUID } from "node:crypto";
import type { TokenLogprob } from "../../../core/contract/engine";
import type { CallPart } from "../tools/call-parts";
import { CallReader } from "../tools/call-reader";
import type { GenerationPiece } from "./generation-event";
import type { PromptPlan } from "./plan-generation";
import { type Piece, ReasoningSplitter } from "./reasoning";

export type ReaderOptions = Pick<PromptPlan, "splitsReasoning" | "calls" | "callsMax">;

export class AnswerReader {
  readonly #reasoning: ReasoningSplitter | null;
  readonly #calls: CallReader | null;
  /** Of tokens whose text is still held back. */
  #logprobs: TokenLogprob[] = [];
  #reasoningUpdates = 0;
  #started = 0;

  constructor(
    private readonly choice: number,
    private readonly options: ReaderOptions,
    beginsInThought = false,
  ) {
    this.#reasoning = options.splitsReasoning ? new ReasoningSplitter(beginsInThought) : null;
    this.#calls = options.calls === null ? null : new CallReader(options.calls);
  }

  /** As many updates of the engine as brought thoughts; nearly always one token each. */
  get reasoningTokens(): number {
    return this.#reasoningUpdates;
  }

  get hasCalls(): boolean {
    return this.#started > 0;
  }

  push(text: string, logprobs: readonly TokenLogprob[] = []): GenerationPiece[] {
    this.#logprobs.push(...logprobs);
    const pieces: readonly Piece[] = this.#reasoning ? this.#reasoning.push(text) : [{ kind: "content", text }];
    if (pieces.some(({ kind }) => kind === "reasoning")) this.#reasoningUpdates += 1;
    return pieces.flatMap((piece) => this.#read(piece));
  }

  /** What was held back because more might have followed. */
  end(): GenerationPiece[] {
    const rest = (this.#reasoning?.flush() ?? []).flatMap((piece) => this.#read(piece));
    return [...rest, ...(this.#calls?.end() ?? []).flatMap((part) => this.#told(part))];
  }

  #read({ kind, text }: Piece): GenerationPiece[] {
    if (kind === "reasoning") {
      this.#logprobs = [];
      return [{ kind, choice: this.choice, text }];
    }
    const parts: readonly CallPart[] = this.#calls ? this.#calls.push(text) : [{ kind: "text", text }];
    return parts.flatMap((part) => this.#told(part));
  }

  #told(part: CallPart): GenerationPiece[] {
    const { choice } = this;
    const logprobs = this.#logprobs;
    this.#logprobs = [];
    if (part.kind === "text") {
      return [{ kind: "text", choice, text: part.text, ...(logprobs.length > 0 && { logprobs }) }];
    }
    if (part.kind === "start") this.#started += 1;
    if (this.#started > this.options.callsMax) return [];
    const index = this.#started - 1;
    if (part.kind === "arguments") return [{ kind: "toolCallArguments", choice, index, delta: part.delta }];
    const id = `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
    return [{ kind: "toolCallStart", choice, index, id, name: part.name }];
  }
}
