/** How a completion looks on the wire: a stream of chunks that ends in `[DONE]`, or one object. */
import type { TokenLogprob } from "../../../core/contract/engine";
import type { ApiError } from "../api-error";
import {
  type AnswerPhase,
  type StreamWriter,
  sseComment,
  sseData,
  type WholeWriter,
  type WrittenEvent,
} from "../generation/answer-writer";
import type { GenerationFinish, GenerationUsage } from "../generation/generation-event";
import { type CompletionHead, completionLogprobs, completionObject, withUsage } from "./completion-objects";

/** Nobody calls a tool in a completion. */
function finishOf(reason: GenerationFinish): "stop" | "length" {
  return reason === "length" ? "length" : "stop";
}

export class CompletionStreamWriter implements StreamWriter {
  readonly kind = "stream";
  /** Characters that each choice has shown. */
  readonly #shown = new Map<number, number>();

  constructor(private readonly head: CompletionHead) {}

  open(): string {
    return "";
  }

  write(event: WrittenEvent): string {
    switch (event.kind) {
      case "text":
        return this.#begin(event.choice) + this.#piece(event.choice, event.text, event.logprobs ?? []);
      case "finished":
        return this.#begin(event.choice) + this.#chunk(event.choice, "", null, finishOf(event.reason));
      default:
        return "";
    }
  }

  end(usage: GenerationUsage): string {
    const last = completionObject(this.head, [], withUsage(this.head, usage));
    return `${this.head.includeUsage ? sseData(last) : ""}data: [DONE]\n\n`;
  }

  fail(error: ApiError): string {
    return sseData(error.body);
  }

  keepAlive(phase: AnswerPhase): string {
    return sseComment(phase);
  }

  /** The prompt, where it was asked for. */
  #begin(choice: number): string {
    if (this.#shown.has(choice)) return "";
    const text = this.head.echoes[choice] ?? "";
    this.#shown.set(choice, text.length);
    return text === "" ? "" : this.#chunk(choice, text, null, null);
  }

  #piece(choice: number, text: string, logprobs: readonly TokenLogprob[]): string {
    const shown = this.#shown.get(choice) ?? 0;
    this.#shown.set(choice, shown + text.length);
    return this.#chunk(choice, text, this.head.includeLogprobs ? completionLogprobs(logprobs, shown) : null, null);
  }

  #chunk(index: number, text: string, logprobs: object | null, finish_reason: "stop" | "length" | null): string {
    const usage = this.head.includeUsage ? { usage: null } : {};
    return sseData(completionObject(this.head, [{ text, index, logprobs, finish_reason }], usage));
  }
}

interface Whole {
  text: string;
  finish: "stop" | "length";
  readonly logprobs: TokenLogprob[];
}

export class CompletionWholeWriter implements WholeWriter {
  readonly kind = "whole";
  readonly #choices: Whole[];

  constructor(private readonly head: CompletionHead) {
    this.#choices = head.echoes.map(() => ({ text: "", finish: "stop", logprobs: [] }));
  }

  take(event: WrittenEvent): void {
    const choice = this.#choices[event.choice];
    if (choice === undefined) return;
    if (event.kind === "finished") choice.finish = finishOf(event.reason);
    if (event.kind !== "text") return;
    choice.text += event.text;
    choice.logprobs.push(...(event.logprobs ?? []));
  }

  body(usage: GenerationUsage): object {
    const { echoes, includeLogprobs } = this.head;
    const choices = this.#choices.map(({ text, finish, logprobs }, index) => ({
      text: (echoes[index] ?? "") + text,
      index,
      logprobs: includeLogprobs ? completionLogprobs(logprobs, 0) : null,
      finish_reason: finish,
    }));
    return completionObject(this.head, choices, withUsage(this.head, usage));
  }

  fail(error: ApiError): object {
    return error.body;
  }
}
