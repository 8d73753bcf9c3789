/**
 * Collects an answer and sends it as one JSON object. After a minute the headers go out early and spaces follow, which
 * JSON allows before a value: clients count the wait for headers, and 300 s is where Node's own gives up.
 */
import type { FastifyReply } from "fastify";
import type { ApiError } from "./api-error";
import { ChatAnswer, type Finish } from "./chat-answer";
import { type ChatHead, completion } from "./chat-objects";
import type { HttpContext } from "./http-context";
import type { Piece } from "./reasoning";

export class WholeAnswer extends ChatAnswer {
  readonly #pieces: Piece[] = [];

  constructor(context: HttpContext, reply: FastifyReply, head: ChatHead) {
    super(context, reply, head, context.timing.earlyHeadersMs);
  }

  /** Nothing goes out yet: the status is still unknown. */
  accept(): void {}

  protected admitted(): void {}

  protected take(pieces: readonly Piece[]): void {
    this.#pieces.push(...pieces);
  }

  protected finish(pieces: readonly Piece[], { reason, usage }: Finish): void {
    const body = completion(this.head, [...this.#pieces, ...pieces], reason, usage);
    if (this.open) this.end(JSON.stringify(body));
    else this.settle(body);
  }

  /** The status cannot be taken back once headers are out; the error object is the body then. */
  protected errorText(error: ApiError): string {
    return JSON.stringify(error.body);
  }

  protected breakSilence(): void {
    if (!this.open) this.openWith({ "content-type": "application/json; charset=utf-8" });
    this.write(" ");
  }
}
