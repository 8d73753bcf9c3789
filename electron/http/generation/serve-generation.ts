/**
 * Serves one generation over HTTP, whatever the API: names the request, opens its answer, starts it or joins the one of an
 * earlier try, and sees it to its end. A client that hangs up cancels it, unless it is likely to come back.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RequestId } from "../../../core/contract/ids";
import type { HttpContext } from "../http-context";
import { requireModel } from "../models";
import { readHints } from "../scheduling-hints";
import type { AnswerWriter } from "./answer-writer";
import type { GenerationRequest } from "./generation-request";
import { planGeneration } from "./plan-generation";
import { SharedGeneration } from "./shared-generation";
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
  const generation = context.joins.find(request) ?? beginGeneration(context, request, wanted);
  const { requestId } = generation;
  reply.header("x-request-id", requestId);
  const writer = writerFor(requestId);
  const answer =
    writer.kind === "stream" ? new StreamedAnswer(context, reply, writer) : new WholeAnswer(context, reply, writer);
  generation.attach(answer);
  const hangUp = () => {
    if (answer.ended) return;
    answer.abandon();
    generation.abandon(answer, context.joins.abandoned(request, generation));
  };
  reply.raw.once("close", hangUp);
  try {
    const rest = await answer.done;
    return rest === null ? reply : reply.send(rest);
  } finally {
    reply.raw.off("close", hangUp);
    generation.leave(answer);
  }
}

function beginGeneration(context: HttpContext, request: FastifyRequest, wanted: UnnamedGeneration): SharedGeneration {
  const { live, joins, openAnswers, requestIds } = context;
  const engine = requireModel(live, wanted.model);
  const plan = planGeneration(engine, wanted);
  const hints = readHints(request.headers, request.body, live.nowMs);
  const requestId = requestIds.claim(request.id);
  const generation = new SharedGeneration({
    requestId,
    keepsEvents: joins.canBeJoined(request),
    start: (hear) => startGeneration(context, { ...wanted, requestId, hints }, plan, hear),
    onOver() {
      joins.over(request, generation);
      openAnswers.delete(requestId);
      requestIds.release(requestId);
    },
  });
  joins.began(request, generation);
  openAnswers.set(requestId, generation);
  return generation;
}
