/**
 * Serves one generation over HTTP, whatever the API: names the request, opens its answer, starts it and sees it to its end.
 * A client that hangs up cancels it.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestId } from "../../../core/contract/ids";
import type { HttpContext } from "../http-context";
import { requireModel } from "../models";
import { readHints } from "../scheduling-hints";
import type { AnswerWriter } from "./answer-writer";
import type { GenerationRequest } from "./generation-request";
import { planGeneration } from "./plan-generation";
import { startGeneration } from "./start-generation";
import { StreamedAnswer } from "./streamed-answer";
import { WholeAnswer } from "./whole-answer";

export type UnnamedGeneration = Omit<GenerationRequest, "requestId">;

/** Throws an `ApiError` for what is wrong before anything was sent. */
export async function serveGeneration(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: UnnamedGeneration,
  writerFor: (requestId: RequestId) => AnswerWriter,
): Promise<unknown> {
  const engine = requireModel(context.live, wanted.model);
  const plan = planGeneration(engine, wanted);
  const hints = readHints(request.headers, request.body, context.live.nowMs);
  const requestId = context.requestIds.claim(request.id);
  reply.header("x-request-id", requestId);
  const writer = writerFor(requestId);
  const answer =
    writer.kind === "stream" ? new StreamedAnswer(context, reply, writer) : new WholeAnswer(context, reply, writer);
  const generation = startGeneration(context, { ...wanted, requestId, hints }, plan, answer.hear);
  const hangUp = () => {
    if (answer.ended) return;
    answer.abandon();
    generation.cancel("The client closed the connection.");
  };
  context.openAnswers.set(requestId, {
    stop(error) {
      answer.fail(error);
      generation.cancel(error.message);
    },
  });
  reply.raw.once("close", hangUp);
  try {
    const rest = await answer.done;
    return rest === null ? reply : reply.send(rest);
  } finally {
    reply.raw.off("close", hangUp);
    context.openAnswers.delete(requestId);
    context.requestIds.release(requestId);
  }
}
