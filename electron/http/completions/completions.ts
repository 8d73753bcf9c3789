/** `POST /v1/completions`: OpenAI's older API, for programs that write their prompts themselves. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fingerprintOf } from "../chat/usage-object";
import { withModel } from "../enter-model";
import { toApiError } from "../error-answers";
import { serveGeneration } from "../generation/serve-generation";
import type { HttpContext } from "../http-context";
import { promptError } from "../live-errors";
import { route } from "../route";
import { type CompletionBody, readCompletionBody } from "./completion-body";
import { completionHead } from "./completion-objects";
import { CompletionStreamWriter, CompletionWholeWriter } from "./completion-writers";

export function registerCompletions(app: FastifyInstance, context: HttpContext): void {
  for (const url of ["/v1/completions", "/completions"]) {
    route(app, url, { post: (request, reply) => answerCompletion(context, request, reply) });
  }
}

async function answerCompletion(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const body = readCompletionBody(request.body);
  const echoes = await echoesOf(context, reply, body);
  const { model, prompts, choices, maxTokens, sampling, stop, metadata, sessionId, user } = body;
  const identity = { headers: request.headers, body: request.body, metadata, sessionId, user, messages: [] };
  const wanted = { model, prompts, choices, maxTokens, sampling, stop, identity };
  return serveGeneration(context, request, reply, wanted, (requestId, engine) => {
    const head = completionHead(requestId, body, fingerprintOf(engine), echoes);
    return body.stream ? new CompletionStreamWriter(head) : new CompletionWholeWriter(head);
  });
}

/** For each choice what stands before its text. */
async function echoesOf(context: HttpContext, reply: FastifyReply, body: CompletionBody): Promise<string[]> {
  const { live, log } = context;
  const { model, prompts, choices, echo } = body;
  const texts: string[] = [];
  try {
    for (const prompt of prompts) {
      if (!echo) texts.push("");
      else if (prompt.kind === "text") texts.push(prompt.text);
      else texts.push(await withModel(context, reply.raw, model, () => live.detokenize(prompt.tokens)));
    }
  } catch (error) {
    throw promptError(live, error, "prompt") ?? toApiError(error, log);
  }
  return texts.flatMap((text) => Array.from({ length: choices }, () => text));
}
