/** `POST /v1/chat/completions`: body -> tokens -> the running server -> answer. A client that hangs up cancels its request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "./answer";
import { type ChatBody, readChatBody } from "./chat-body";
import { chatHead } from "./chat-objects";
import { toApiError } from "./error-answers";
import type { HttpContext } from "./http-context";
import { placeSender } from "./identity/place-sender";
import { promptError, refusalError } from "./live-errors";
import { requireModel } from "./models";
import { route } from "./route";
import { readHints } from "./scheduling-hints";
import { StreamedAnswer } from "./streamed-answer";
import { WholeAnswer } from "./whole-answer";

export function registerChatCompletions(app: FastifyInstance, context: HttpContext): void {
  route(app, "/v1/chat/completions", { post: (request, reply) => answerChat(context, request, reply) });
}

async function answerChat(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const body = readChatBody(request.body);
  requireModel(context.live, body.model);
  const requestId = context.requestIds.claim(request.id);
  reply.header("x-request-id", requestId);
  const head = chatHead(requestId, body);
  const answer = new (body.stream ? StreamedAnswer : WholeAnswer)(context, reply, head);
  const hangUp = () => {
    if (answer.ended) return;
    answer.abandon();
    context.live.cancel(requestId, "The client closed the connection.");
  };
  context.openAnswers.set(requestId, {
    stop(error) {
      answer.fail(error);
      context.live.cancel(requestId, error.message);
    },
  });
  reply.raw.once("close", hangUp);
  try {
    void start(context, request, body, requestId, answer);
    const rest = await answer.done;
    return rest === null ? reply : reply.send(rest);
  } finally {
    reply.raw.off("close", hangUp);
    context.openAnswers.delete(requestId);
    context.requestIds.release(requestId);
  }
}

/** Everything up to the submission. Never rejects: what goes wrong here is told to the answer. */
async function start(
  context: HttpContext,
  request: FastifyRequest,
  body: ChatBody,
  requestId: string,
  answer: Answer,
): Promise<void> {
  const { live, log, refusals } = context;
  try {
    const prompt = await live.encode({ kind: "chat", messages: body.messages });
    if (answer.ended) return;
    const { agent, taskId, workflowId, stageId } = placeSender(
      context,
      { headers: request.headers, ...body, body: request.body },
      requestId,
    );
    const hints = readHints(request.headers, request.body, live.nowMs);
    const { maxTokens, sampling, stop } = body;
    const { tokens: promptTokens, prefixTokens } = prompt;
    live.submit(
      {
        requestId,
        agent,
        taskId,
        workflowId,
        stageId,
        promptTokens,
        prefixTokens,
        maxTokens,
        sampling,
        stop,
        ...hints,
      },
      (update) => {
        if (update.kind === "refused") refusals.note(requestId, refusalError(update.refusal));
        answer.hear(update);
      },
    );
    // A refusal came within `submit`, so that it is still a plain HTTP error.
    answer.accept();
  } catch (error) {
    const refusal = promptError(live, error);
    if (refusal !== null) refusals.note(requestId, refusal);
    answer.fail(refusal ?? toApiError(error, log));
  }
}
