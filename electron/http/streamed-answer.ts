/**
 * Writes an answer as server-sent events, one write for each update. Headers go out as soon as the request is taken, and
 * comments keep the connection alive while it waits, so that no client gives up on a queue.
 */
import type { FastifyReply } from "fastify";
import type { RequestUpdate } from "../live/live";
import { type Answer, Ending } from "./answer";
import type { ApiError } from "./api-error";
import { type ChatHead, chunk, deltaOf, finishChunk, usageChunk } from "./chat-objects";
import type { HttpContext } from "./http-context";
import { cancelledError, failureError, refusalError } from "./live-errors";
import { type Piece, ReasoningSplitter } from "./reasoning";

export class StreamedAnswer implements Answer {
  readonly #ending = new Ending();
  readonly #reasoning = new ReasoningSplitter();
  readonly #silence: NodeJS.Timeout;
  #phase: "queued" | "prefill" | "decode" = "queued";
  #open = false;
  #roleSent = false;
  #ended = false;

  constructor(
    private readonly context: HttpContext,
    private readonly reply: FastifyReply,
    private readonly head: ChatHead,
  ) {
    // Runs from the start: reading a prompt can take long while the engine restarts.
    this.#silence = setTimeout(() => this.#breakSilence(), context.timing.keepAliveMs);
  }

  get done(): Promise<object | null> {
    return this.#ending.promise;
  }

  get ended(): boolean {
    return this.#ended;
  }

  readonly hear = (update: RequestUpdate): void => {
    if (this.#ended) return;
    switch (update.kind) {
      case "admitted":
        this.#phase = "prefill";
        if (this.#open) this.#write(": prefill\n\n");
        return;
      case "text":
        this.#phase = "decode";
        this.#send(this.#reasoning.push(update.text));
        return;
      case "finished":
        this.#send(this.#reasoning.flush(), [
          finishChunk(this.head, update.reason, update.usage),
          ...(this.head.includeUsage ? [usageChunk(this.head, update.usage)] : []),
        ]);
        return;
      case "refused":
        return this.fail(refusalError(update.refusal));
      case "failed":
        return this.fail(failureError(this.context.live, update.message));
      case "cancelled":
        return this.fail(cancelledError(update.reason));
      default:
        return update satisfies never;
    }
  };

  accept(): void {
    if (!this.#ended) this.#begin();
  }

  fail(error: ApiError): void {
    if (this.#ended) return;
    this.#end();
    if (!this.#open) return this.#ending.reject(error);
    // No [DONE]: official clients raise on the error object, and a clean end would look like success.
    this.reply.raw.end(data(error.body));
    this.#ending.resolve(null);
  }

  abandon(): void {
    if (this.#ended) return;
    this.#end();
    if (!this.#open) this.reply.hijack();
    this.#ending.resolve(null);
  }

  #send(pieces: readonly Piece[], last: readonly object[] = []): void {
    const chunks = [...pieces.map((piece) => chunk(this.head, deltaOf(piece))), ...last];
    if (chunks.length === 0) return;
    if (!this.#roleSent) chunks.unshift(chunk(this.head, { role: "assistant", content: "" }));
    this.#roleSent = true;
    this.#begin();
    const text = chunks.map(data).join("");
    if (last.length === 0) return this.#write(text);
    this.#end();
    this.reply.raw.end(`${text}data: [DONE]\n\n`);
    this.#ending.resolve(null);
  }

  #begin(): void {
    if (this.#open) return;
    this.#open = true;
    this.reply.hijack();
    this.reply.raw.writeHead(200, {
      ...(this.reply.getHeaders() as Record<string, string>),
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    this.#write(`: ${this.#phase}\n\n`);
  }

  #breakSilence(): void {
    if (this.#open) this.#write(`: ${this.#phase}\n\n`);
    else this.#begin();
  }

  #write(text: string): void {
    this.reply.raw.write(text);
    this.#silence.refresh();
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#silence);
  }
}

function data(object: object): string {
  return `data: ${JSON.stringify(object)}\n\n`;
}
