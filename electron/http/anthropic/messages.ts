/** `POST /v1/messages` and `/v1/messages/count_tokens` of Anthropic's API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RequestId } from "../../../core/contract/ids";
import { countTokens } from "../generation/count-tokens";
import { serveGeneration, type UnnamedGeneration } from "../generation/serve-generation";
import type { HttpContext } from "../http-context";
import { route } from "../route";
import { type MessageBody, readMessageBody, readMessagePrompt } from "./message-body";
import type { PromptUsage } from "./message-objects";
import { MessageStream } from "./message-stream";
import { MessageWhole } from "./message-whole";

export function registerMessages(app: FastifyInstance, context: HttpContext): void {
  route(app, "/v1/messages", { post: (request, reply) => answerMessage(context, request, reply) });
  route(app, "/v1/messages/count_tokens", {
    post: async (request, reply) => {
      const { model, prompt } = readMessagePrompt(request.body);
      return { input_tokens: await countTokens(context, reply, model, [prompt]) };
    },
  });
}

async function answerMessage(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const body = readMessageBody(request.body);
  if (body.droppedTools.length > 0) {
    const fields = { requestId: request.id, tools: body.droppedTools };
    context.log.warn(fields, "Tools that only Anthropic's servers can run were left out");
  }
  return serveGeneration(context, request, reply, generationOf(request, body), (requestId) => {
    reply.header("request-id", requestId);
    const head = { messageId: `msg_${requestId.replace(/^req_/, "")}`, model: body.model };
    return body.stream
      ? new MessageStream(head, requestId, () => promptUsage(context, requestId))
      : new MessageWhole(head, requestId);
  });
}

function generationOf(request: FastifyRequest, body: MessageBody): UnnamedGeneration {
  const { model, prompt, maxTokens, sampling, stop, metadata } = body;
  const { messages } = prompt;
  return {
    model,
    prompts: [prompt],
    choices: 1,
    maxTokens,
    sampling,
    stop,
    identity: {
      headers: request.headers,
      model,
      body: request.body,
      metadata,
      sessionId: undefined,
      user: undefined,
      messages,
    },
  };
}

/** What the scheduler knows of the prompt once it has found a place for it. */
function promptUsage({ live }: HttpContext, requestId: RequestId): PromptUsage {
  const record = live.explain(requestId);
  return {
    promptTokens: record?.promptTokens ?? 0,
    cachedTokens: (record?.reusedTokens ?? 0) + (record?.forkedTokens ?? 0),
  };
}
