/**
 * Collects an answer and sends it as one JSON object. After a minute the headers go out early and spaces follow, which
 * JSON allows before a value: clients count the wait for headers, and 300 s is where Node's own gives up.
 */
import type { FastifyReply } from "fastify";
import type { RequestUpdate } from "../live/live";
import { type Answer, Ending } from "./answer";
import type { ApiError } from "./api-error";
import { type ChatHead, completion } from "./chat-objects";
import type { HttpContext } from "./http-context";
import { cancelledError, failureError, refusalError } from "./live-errors";
import { type Piece, ReasoningSplitter } from "./reasoning";

export class WholeAnswer implements Answer {
  readonly #ending = new Ending();
  readonly #reasoning = new ReasoningSplitter();
  readonly #pieces: Piece[] = [];
  #silence: NodeJS.Timeout;
  #open = false;
  #ended = false;

  constructor(
    private readonly context: HttpContext,
    private readonly reply: FastifyReply,
    private readonly head: ChatHead,
  ) {
    this.#silence = setTimeout(() => this.#begin(), context.timing.earlyHeadersMs);
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
        return;
      case "text":
        this.#pieces.push(...this.#reasoning.push(update.text));
        return;
      case "finished":
        this.#pieces.push(...this.#reasoning.flush());
        return this.#finish(completion(this.head, this.#pieces, update.reason, update.usage));
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

  /** Nothing goes out yet: the status is still unknown. */
  accept(): void {}

  /** The status cannot be taken back once headers are out; then the error object is the body. */
  fail(error: ApiError): void {
    if (this.#ended) return;
    if (this.#open) return this.#finish(error.body);
    this.#end();
    this.#ending.reject(error);
  }

  abandon(): void {
    if (this.#ended) return;
    this.#end();
    if (!this.#open) this.reply.hijack();
    this.#ending.resolve(null);
  }

  #finish(body: object): void {
    this.#end();
    if (!this.#open) return this.#ending.resolve(body);
    this.reply.raw.end(JSON.stringify(body));
    this.#ending.resolve(null);
  }

  #begin(): void {
    this.#open = true;
    this.reply.hijack();
    const headers = this.reply.getHeaders() as Record<string, string>;
    this.reply.raw.writeHead(200, { ...headers, "content-type": "application/json; charset=utf-8" });
    this.reply.raw.write(" ");
    this.#silence = setInterval(() => this.reply.raw.write(" "), this.context.timing.keepAliveMs);
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#silence);
  }
}
