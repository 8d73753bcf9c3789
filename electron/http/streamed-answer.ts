/**
 * Writes an answer as server-sent events, one write for each update. Headers go out as soon as the request is taken, and
 * comments keep the connection alive while it waits, so that no client gives up on a queue.
 */
import type { FastifyReply } from "fastify";
import type { ApiError } from "./api-error";
import { ChatAnswer, type Finish } from "./chat-answer";
import { type ChatHead, chunk, deltaOf, finishChunk, usageChunk } from "./chat-objects";
import type { HttpContext } from "./http-context";
import type { Piece } from "./reasoning";

export class StreamedAnswer extends ChatAnswer {
  #phase: "queued" | "prefill" | "decode" = "queued";
  #roleSent = false;

  constructor(context: HttpContext, reply: FastifyReply, head: ChatHead) {
    super(context, reply, head, context.timing.keepAliveMs);
  }

  accept(): void {
    if (!this.ended) this.#begin();
  }

  protected admitted(): void {
    this.#phase = "prefill";
    if (this.open) this.#comment();
  }

  protected take(pieces: readonly Piece[]): void {
    this.#phase = "decode";
    if (pieces.length === 0) return;
    this.#begin();
    this.write(this.#chunks(pieces, []));
  }

  protected finish(pieces: readonly Piece[], { reason, usage }: Finish): void {
    const last = [
      finishChunk(this.head, reason, usage),
      ...(this.head.includeUsage ? [usageChunk(this.head, usage)] : []),
    ];
    this.#begin();
    this.end(`${this.#chunks(pieces, last)}data: [DONE]\n\n`);
  }

  /** No [DONE]: official clients raise on the error object, and a clean end would look like success. */
  protected errorText(error: ApiError): string {
    return data(error.body);
  }

  protected breakSilence(): void {
    if (this.open) this.#comment();
    else this.#begin();
  }

  #chunks(pieces: readonly Piece[], last: readonly object[]): string {
    const role = this.#roleSent ? [] : [chunk(this.head, { role: "assistant", content: "" })];
    this.#roleSent = true;
    return [...role, ...pieces.map((piece) => chunk(this.head, deltaOf(piece))), ...last].map(data).join("");
  }

  #begin(): void {
    if (this.open) return;
    this.openWith({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    this.#comment();
  }

  #comment(): void {
    this.write(`: ${this.#phase}\n\n`);
  }
}

function data(object: object): string {
  return `data: ${JSON.stringify(object)}\n\n`;
}
