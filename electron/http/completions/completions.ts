/** `POST /v1/completions`: OpenAI's older API, for programs that write their prompts themselves. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fingerprintOf } from "../chat/usage-object";
import { toApiError } from "../error-answers";
import { serveGeneration } from "../generation/serve-generation";
import type { HttpContext } from "../http-context";
import { promptError } from "../live-errors";
import { requireModel } from "../models";
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
  const fingerprint = fingerprintOf(requireModel(context.live, body.model));
  const echoes = await echoesOf(context, body);
  const { model, prompts, choices, maxTokens, sampling, stop, metadata, sessionId, user } = body;
  const identity = { headers: request.headers, body: request.body, metadata, sessionId, user, messages: [] };
  const wanted = { model, prompts, choices, maxTokens, sampling, stop, identity };
  return serveGeneration(context, request, reply, wanted, (requestId) => {
    const head = completionHead(requestId, body, fingerprint, echoes);
    return body.stream ? new CompletionStreamWriter(head) : new CompletionWholeWriter(head);
  });
}

/** For each choice what stands before its text. */
async function echoesOf({ live, log }: HttpContext, { prompts, choices, echo }: CompletionBody): Promise<string[]> {
  const texts: string[] = [];
  try {
    for (const prompt of prompts) {
      if (!echo) texts.push("");
      else texts.push(prompt.kind === "text" ? prompt.text : await live.detokenize(prompt.tokens));
    }
  } catch (error) {
    throw promptError(live, error, "prompt") ?? toApiError(error, log);
  }
  return texts.flatMap((text) => Array.from({ length: choices }, () => text));
}
