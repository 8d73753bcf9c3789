/**
 * Serves one generation over HTTP, whatever the API: names the request, opens its answer, starts it or joins the one of an
 * earlier try, and sees it to its end. A client that hangs up cancels it, unless it is likely to come back.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { EngineDescription } from "../../../core/contract/engine";
import type { RequestId } from "../../../core/contract/ids";
import type { Visit } from "../../live/models/model-house";
import { enterModel } from "../enter-model";
import type { HttpContext } from "../http-context";
import { readHints } from "../scheduling-hints";
import type { AnswerWriter } from "./answer-writer";
import type { GenerationEvent } from "./generation-event";
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
  writerFor: (requestId: RequestId, engine: EngineDescription) => AnswerWriter,
): Promise<unknown> {
  const generation = context.joins.find(request) ?? (await enterGeneration(context, request, reply, wanted));
  const { requestId, engine } = generation;
  reply.header("x-request-id", requestId);
  const writer = writerFor(requestId, engine);
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

async function enterGeneration(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: UnnamedGeneration,
): Promise<SharedGeneration> {
  const visit = await enterModel(context, reply.raw, wanted.model);
  try {
    return beginGeneration(context, request, wanted, visit);
  } catch (error) {
    visit.leave();
    throw error;
  }
}

function beginGeneration(
  context: HttpContext,
  request: FastifyRequest,
  wanted: UnnamedGeneration,
  { engine, leave }: Visit,
): SharedGeneration {
  const { live, joins, openAnswers, requestIds } = context;
  const plan = planGeneration(engine, wanted);
  const hints = readHints(request.headers, request.body, live.nowMs);
  const requestId = requestIds.claim(request.id);
  const generation = new SharedGeneration({
    requestId,
    engine,
    keepsEvents: joins.canBeJoined(request),
    start: (hear) => startGeneration(context, { ...wanted, requestId, hints }, plan, leaving(leave, hear)),
    onOver() {
      leave();
      joins.over(request, generation);
      openAnswers.delete(requestId);
      requestIds.release(requestId);
    },
  });
  joins.began(request, generation);
  openAnswers.set(requestId, generation);
  return generation;
}

/** The model is free again with the last token, whoever still listens. */
export function leaving(leave: () => void, hear: (event: GenerationEvent) => void): (event: GenerationEvent) => void {
  return (event) => {
    if (event.kind === "ended" || event.kind === "failed") leave();
    hear(event);
  };
}
