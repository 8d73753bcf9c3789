/** `POST /v1/chat/completions`: OpenAI's chat API on top of the generation that all APIs share. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { serveGeneration, type UnnamedGeneration } from "../generation/serve-generation";
import type { HttpContext } from "../http-context";
import { route } from "../route";
import { type ChatBody, readChatBody } from "./chat-body";
import { chatHead } from "./chat-objects";
import { ChatStreamWriter, ChatWholeWriter } from "./chat-writers";
import { fingerprintOf } from "./usage-object";

export function registerChatCompletions(app: FastifyInstance, context: HttpContext): void {
  for (const url of ["/v1/chat/completions", "/chat/completions"]) {
    route(app, url, { post: (request, reply) => answerChat(context, request, reply) });
  }
}

async function answerChat(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const body = readChatBody(request.body);
  return serveGeneration(context, request, reply, generationOf(body, request), (requestId, engine) => {
    const head = chatHead(requestId, body, fingerprintOf(engine));
    return body.stream ? new ChatStreamWriter(head) : new ChatWholeWriter(head);
  });
}

function generationOf(body: ChatBody, { headers, body: sent }: FastifyRequest): UnnamedGeneration {
  const { model, messages, choices, maxTokens, sampling, stop, metadata, sessionId, user } = body;
  const { tools, toolChoice, parallelToolCalls, format, templateOptions } = body;
  return {
    ...{ model, choices, maxTokens, sampling, stop },
    prompts: [{ kind: "chat", messages, tools, toolChoice, parallelToolCalls, format, templateOptions }],
    identity: { headers, body: sent, metadata, sessionId, user, messages },
  };
}
