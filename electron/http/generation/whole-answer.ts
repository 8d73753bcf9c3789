/**
 * Collects an answer and sends it as one JSON object. After a minute the headers go out early and spaces follow, which
 * JSON allows before a value: clients count the wait for headers, and 300 s is where Node's own gives up.
 */
import type { FastifyReply } from "fastify";
import type { ApiError } from "../api-error";
import type { HttpContext } from "../http-context";
import { AnswerFrame } from "./answer-frame";
import type { WholeWriter, WrittenEvent } from "./answer-writer";
import type { GenerationUsage } from "./generation-event";

export class WholeAnswer extends AnswerFrame {
  constructor(
    context: HttpContext,
    reply: FastifyReply,
    private readonly writer: WholeWriter,
  ) {
    super(context, reply, context.timing.earlyHeadersMs);
  }

  /** Nothing goes out yet: the status is still unknown. */
  protected accept(): void {}

  protected take(event: WrittenEvent): void {
    this.writer.take(event);
  }

  protected finish(usage: GenerationUsage): void {
    const body = this.writer.body(usage);
    if (this.open) this.end(JSON.stringify(body));
    else this.settle(body);
  }

  /** The status cannot be taken back once headers are out; the error object is the body then. */
  protected errorText(error: ApiError): string {
    return JSON.stringify(this.writer.fail(error));
  }

  protected breakSilence(): void {
    if (!this.open) this.openWith({ "content-type": "application/json; charset=utf-8" });
    this.write(" ");
  }
}
