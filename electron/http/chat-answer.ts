/**
 * What a streamed and a whole answer have in common: hear the request's updates, open with headers, break a silence,
 * end once. Must never write after the end. What is written, and when it opens, is left to the two kinds.
 */
import type { FastifyReply } from "fastify";
import type { RequestUpdate } from "../live/live";
import { type Answer, Ending } from "./answer";
import type { ApiError } from "./api-error";
import type { ChatHead } from "./chat-objects";
import type { HttpContext } from "./http-context";
import { cancelledError, failureError, refusalError } from "./live-errors";
import { type Piece, ReasoningSplitter } from "./reasoning";

export type Finish = Extract<RequestUpdate, { kind: "finished" }>;

export abstract class ChatAnswer implements Answer {
  readonly #ending = new Ending();
  readonly #reasoning = new ReasoningSplitter();
  #silence: NodeJS.Timeout;
  #open = false;
  #ended = false;

  /** After `silenceMs` without headers, and after each `keepAliveMs` without a write from then on, the silence is broken. */
  constructor(
    private readonly context: HttpContext,
    private readonly reply: FastifyReply,
    protected readonly head: ChatHead,
    silenceMs: number,
  ) {
    // Runs from the start: reading a prompt can take long while the engine restarts.
    this.#silence = setTimeout(() => this.breakSilence(), silenceMs);
  }

  abstract accept(): void;
  protected abstract admitted(): void;
  protected abstract take(pieces: readonly Piece[]): void;
  protected abstract finish(pieces: readonly Piece[], finish: Finish): void;
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

  readonly hear = (update: RequestUpdate): void => {
    if (this.#ended) return;
    switch (update.kind) {
      case "admitted":
        return this.admitted();
      case "text":
        return this.take(this.#reasoning.push(update.text));
      case "finished":
        return this.finish(this.#reasoning.flush(), update);
      case "refused":
        return this.fail(refusalError(update.refusal));
      case "failed":
        return this.fail(failureError(this.context.live, update.message));
      case "cancelled":
        return this.fail(cancelledError(update.reason, update.cause));
      default:
        return update satisfies never;
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
    this.reply.raw.writeHead(200, { ...(this.reply.getHeaders() as Record<string, string>), ...headers });
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
