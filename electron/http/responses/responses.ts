/** `POST /v1/responses` and what belongs to a response that was stored: retrieve, delete, cancel, its input items. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../api-error";
import { countTokens } from "../generation/count-tokens";
import { serveGeneration, type UnnamedGeneration } from "../generation/serve-generation";
import type { HttpContext } from "../http-context";
import { route } from "../route";
import { BackgroundResponses } from "./background";
import { failedStream } from "./failed-stream";
import { type InputItem, messagesOf } from "./input-items";
import { mintId } from "./output-item";
import { resolveItems } from "./resolve-items";
import { type ResponseBody, readResponseBody, templateOptions } from "./response-body";
import { ResponseMaker } from "./response-maker";
import type { ResponseObject } from "./response-object";
import { ResponseStore } from "./response-store";
import { ResponseStream } from "./response-stream";
import { ResponseWhole } from "./response-whole";
import { registerStoredResponses } from "./stored-responses";

export function registerResponses(app: FastifyInstance, context: HttpContext): void {
  const store = new ResponseStore();
  const background = new BackgroundResponses(context, store);
  route(app, "/v1/responses", {
    post: (request, reply) => answerResponse(context, store, background, request, reply),
  });
  route(app, "/v1/responses/input_tokens", {
    post: async (request, reply) => {
      const body = readResponseBody(request.body);
      const items = resolveItems(store, body);
      const tokens = await countTokens(context, reply, body.fields.model, generationOf(request, body, items).prompts);
      return { object: "response.input_tokens", input_tokens: tokens };
    },
  });
  registerStoredResponses(app, store, background);
}

async function answerResponse(
  context: HttpContext,
  store: ResponseStore,
  background: BackgroundResponses,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const body = readResponseBody(request.body);
  const input = resolveItems(store, body);
  if (body.book.dropped.length > 0) {
    context.log.warn(
      { requestId: request.id, tools: body.book.dropped },
      "Tools that only OpenAI's servers can run were left out",
    );
  }
  const wanted = generationOf(request, body, input);
  const head = { id: mintId("resp"), createdAt: Math.floor(Date.now() / 1000), body };
  if (body.fields.background) return background.start(request, reply, head, wanted, input);
  const keep = (response: ResponseObject) => {
    if (body.fields.store ?? true) store.put({ response, input });
  };
  const maker = new ResponseMaker(head);
  if (!body.fields.stream) {
    return serveGeneration(context, request, reply, wanted, () => new ResponseWhole(maker, keep));
  }
  try {
    return await serveGeneration(context, request, reply, wanted, () => new ResponseStream(maker, keep));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "context_length_exceeded") throw error;
    return failedStream(reply, new ResponseStream(maker, keep), error);
  }
}

function generationOf(request: FastifyRequest, body: ResponseBody, input: readonly InputItem[]): UnnamedGeneration {
  const { fields, tools, format, sampling } = body;
  const messages = messagesOf(fields.instructions, input);
  return {
    model: fields.model,
    prompts: [
      {
        kind: "chat",
        messages,
        tools: tools.tools,
        toolChoice: tools.choice,
        parallelToolCalls: (fields.parallel_tool_calls ?? true) && fields.max_tool_calls !== 1,
        format,
        templateOptions: templateOptions(fields),
      },
    ],
    choices: 1,
    maxTokens: fields.max_output_tokens ?? null,
    sampling,
    stop: [fields.stop ?? []].flat().filter((text) => text !== ""),
    identity: {
      headers: request.headers,
      model: fields.model,
      body: request.body,
      metadata: fields.metadata ?? {},
      sessionId: fields.session_id,
      user: fields.user ?? fields.safety_identifier,
      messages,
    },
  };
}
