/** How a chat completion looks on the wire: a stream of chunks that ends in `[DONE]`, or one object. */
import type { ApiError } from "../api-error";
import {
  type AnswerPhase,
  type StreamWriter,
  sseComment,
  sseData,
  type WholeWriter,
  type WrittenEvent,
} from "../generation/answer-writer";
import type { ChoiceFinished, GenerationUsage } from "../generation/generation-event";
import { ChatChoice, type ChatHead, chunk, completion, finishChunk, pieceChunk, usageChunk } from "./chat-objects";

export class ChatStreamWriter implements StreamWriter {
  readonly kind = "stream";
  readonly #rolesSent = new Set<number>();
  /** Of a single choice; kept back so that it goes out in one write with what follows it. */
  #held = "";

  constructor(private readonly head: ChatHead) {}

  open(): string {
    return "";
  }

  write(event: WrittenEvent): string {
    switch (event.kind) {
      case "admitted":
        return "";
      case "finished":
        return this.#finished(event);
      default:
        return this.#role(event.choice) + sseData(pieceChunk(this.head, event));
    }
  }

  end(usage: GenerationUsage): string {
    return `${this.#held}${this.head.includeUsage ? sseData(usageChunk(this.head, usage)) : ""}data: [DONE]\n\n`;
  }

  /** No [DONE]: official clients raise on the error object, and a clean end would look like success. */
  fail(error: ApiError): string {
    return sseData(error.body);
  }

  keepAlive(phase: AnswerPhase): string {
    return sseComment(phase);
  }

  #finished(event: ChoiceFinished): string {
    const text = this.#role(event.choice) + sseData(finishChunk(this.head, event));
    if (this.head.choices > 1) return text;
    this.#held = text;
    return "";
  }

  #role(choice: number): string {
    if (this.#rolesSent.has(choice)) return "";
    this.#rolesSent.add(choice);
    return sseData(chunk(this.head, choice, { role: "assistant", content: "" }));
  }
}

export class ChatWholeWriter implements WholeWriter {
  readonly kind = "whole";
  readonly #choices: ChatChoice[];

  constructor(private readonly head: ChatHead) {
    this.#choices = Array.from({ length: head.choices }, (_, index) => new ChatChoice(index));
  }

  take(event: WrittenEvent): void {
    this.#choices[event.choice]?.take(event);
  }

  body(usage: GenerationUsage): object {
    return completion(this.head, this.#choices, usage);
  }

  fail(error: ApiError): object {
    return error.body;
  }
}
