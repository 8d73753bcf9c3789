/**
 * Writes an answer as server-sent events, one write for each piece. Headers go out as soon as the request is taken, and
 * comments keep the connection alive while it waits, so that no client gives up on a queue.
 */
import type { FastifyReply } from "fastify";
import type { ApiError } from "../api-error";
import type { HttpContext } from "../http-context";
import { AnswerFrame } from "./answer-frame";
import { type AnswerPhase, type StreamWriter, sseComment, type WrittenEvent } from "./answer-writer";
import type { GenerationUsage } from "./generation-event";

export class StreamedAnswer extends AnswerFrame {
  #phase: AnswerPhase = "queued";

  constructor(
    context: HttpContext,
    reply: FastifyReply,
    private readonly writer: StreamWriter,
  ) {
    super(context, reply, context.timing.keepAliveMs);
  }

  protected accept(): void {
    this.#begin();
  }

  protected take(event: WrittenEvent): void {
    if (event.kind === "admitted") {
      // Of several choices one may decode already.
      if (this.#phase !== "queued") return;
      this.#phase = "prefill";
      if (!this.open) return;
      this.write(sseComment(this.#phase));
    } else this.#phase = "decode";
    const text = this.writer.write(event);
    if (text === "") return;
    this.#begin();
    this.write(text);
  }

  protected finish(usage: GenerationUsage): void {
    this.#begin();
    this.end(this.writer.end(usage));
  }

  protected errorText(error: ApiError): string {
    return this.writer.fail(error);
  }

  protected breakSilence(): void {
    if (this.open) this.write(this.writer.keepAlive(this.#phase));
    else this.#begin();
  }

  #begin(): void {
    if (this.open) return;
    this.openWith({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    this.write(this.writer.open() + sseComment(this.#phase));
  }
}
