/**
 * What a streamed and a whole answer have in common: hear what happens, open with headers, break a silence, end once.
 * Must never write after the end. What is written, and when it opens, is left to the two kinds and their API's writer.
 */
import type { FastifyReply } from "fastify";
import type { ApiError } from "../api-error";
import type { HttpContext } from "../http-context";
import { topasHeaders } from "../topas-headers";
import { type Answer, Ending } from "./answer";
import type { WrittenEvent } from "./answer-writer";
import type { GenerationEvent, GenerationUsage } from "./generation-event";

export abstract class AnswerFrame implements Answer {
  readonly #ending = new Ending();
  #silence: NodeJS.Timeout;
  #open = false;
  #ended = false;

  /** After `silenceMs` without headers, and after each `keepAliveMs` without a write from then on, the silence is broken. */
  constructor(
    private readonly context: HttpContext,
    private readonly reply: FastifyReply,
    silenceMs: number,
  ) {
    // Runs from the start: reading a prompt can take long while the engine restarts.
    this.#silence = setTimeout(() => this.breakSilence(), silenceMs);
  }

  protected abstract accept(): void;
  protected abstract take(event: WrittenEvent): void;
  protected abstract finish(usage: GenerationUsage): void;
  protected abstract breakSilence(): void;
  /** How an error ends an answer whose status is already out. */
  protected abstract errorText(error: ApiError): string;

  get done(): Promise<object | null> {
    return this.#ending.promise;
  }

  get open(): boolean {
    return this.#open;
  }

  get ended(): boolean {
    return this.#ended;
  }

  readonly hear = (event: GenerationEvent): void => {
    if (this.#ended) return;
    switch (event.kind) {
      case "accepted":
        return this.accept();
      case "ended":
        return this.finish(event.usage);
      case "failed":
        return this.fail(event.error);
      default:
        return this.take(event);
    }
  };

  fail(error: ApiError): void {
    if (this.#ended) return;
    if (this.#open) return this.end(this.errorText(error));
    this.#stop();
    this.#ending.reject(error);
  }

  abandon(): void {
    if (this.#ended) return;
    if (!this.#open) this.reply.hijack();
    this.settle(null);
  }

  protected openWith(headers: Readonly<Record<string, string>>): void {
    this.#open = true;
    this.reply.hijack();
    const own = this.reply.getHeaders() as Record<string, string>;
    const known = topasHeaders(this.context.live, String(own["x-request-id"]));
    this.reply.raw.writeHead(200, { ...own, ...known, ...headers });
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.breakSilence(), this.context.timing.keepAliveMs);
  }

  protected write(text: string): void {
    this.reply.raw.write(text);
    this.#silence.refresh();
  }

  /** The last words of an open answer. */
  protected end(text: string): void {
    this.reply.raw.end(text);
    this.settle(null);
  }

  /** `body` is what is still to be sent. */
  protected settle(body: object | null): void {
    this.#stop();
    this.#ending.resolve(body);
  }

  #stop(): void {
    this.#ended = true;
    clearTimeout(this.#silence);
  }
}
