/** `POST /tokenize` and `/detokenize`, in llama-server's words (`content`) and in vLLM's (`prompt`, `messages`); the answer has those of both. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { EngineDescription } from "../../core/contract/engine";
import { ApiError } from "./api-error";
import { readChatBody } from "./chat/chat-body";
import { withModel } from "./enter-model";
import { toApiError } from "./error-answers";
import { fieldError } from "./field-error";
import { planGeneration } from "./generation/plan-generation";
import type { HttpContext } from "./http-context";
import { promptError } from "./live-errors";
import { route } from "./route";
import { absent } from "./zod-absent";

export const tokenizeSchema = z.object({
  model: absent(z.string().min(1)),
  content: absent(z.string()),
  prompt: absent(z.string()),
  messages: absent(z.array(z.unknown())),
  /** llama-server's name and vLLM's, of which the first is off and the second on where nothing is said. */
  add_special: absent(z.boolean()),
  add_special_tokens: absent(z.boolean()),
  parse_special: absent(z.boolean()),
  with_pieces: absent(z.literal(false, "pieces are not supported")),
  return_token_strs: absent(z.literal(false, "pieces are not supported")),
});

export const detokenizeSchema = z.object({
  model: absent(z.string().min(1)),
  tokens: z.array(z.int().min(0, "tokens are numbers from 0 on")),
});

export function registerTokenize(app: FastifyInstance, context: HttpContext): void {
  for (const url of ["/tokenize", "/v1/tokenize"]) {
    route(app, url, { post: (request, reply) => answering(context, () => tokenize(context, request, reply)) });
  }
  for (const url of ["/detokenize", "/v1/detokenize"]) {
    route(app, url, { post: (request, reply) => answering(context, () => detokenize(context, request, reply)) });
  }
}

async function answering({ live, log }: HttpContext, answer: () => Promise<object>): Promise<object> {
  try {
    return await answer();
  } catch (error) {
    throw promptError(live, error, "tokens") ?? toApiError(error, log);
  }
}

async function tokenize(context: HttpContext, { body }: FastifyRequest, reply: FastifyReply): Promise<object> {
  const read = tokenizeSchema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const fields = read.data;
  return withModel(context, reply.raw, fields.model ?? "default", async (engine) => {
    const tokens = await tokensOf(context, engine, fields, body);
    return { tokens, count: tokens.length, max_model_len: engine.slotTokens };
  });
}

async function tokensOf(
  context: HttpContext,
  engine: EngineDescription,
  fields: z.output<typeof tokenizeSchema>,
  body: unknown,
) {
  const { content, prompt, messages, add_special, add_special_tokens, parse_special = true } = fields;
  if (messages !== undefined) return chatTokens(context, engine, fields.model ?? "default", body as object);
  const text = content ?? prompt;
  if (text === undefined) {
    throw new ApiError("missing_required_parameter", "Missing required parameter: 'content', 'prompt' or 'messages'.", {
      param: "content",
    });
  }
  const addBos = add_special_tokens ?? add_special ?? content === undefined;
  return context.live.tokenize(text, { addBos, special: parse_special });
}

/** What a chat completion with this body would read. */
async function chatTokens({ live }: HttpContext, engine: EngineDescription, model: string, sent: object) {
  const body = readChatBody({ ...sent, model });
  const { messages, tools, toolChoice, parallelToolCalls, format, templateOptions } = body;
  const prompts = [{ kind: "chat", messages, tools, toolChoice, parallelToolCalls, format, templateOptions }] as const;
  const [plan] = planGeneration(engine, { prompts }).prompts;
  return plan === undefined ? [] : (await live.encode(plan.source)).tokens;
}

async function detokenize(context: HttpContext, { body }: FastifyRequest, reply: FastifyReply): Promise<object> {
  const read = detokenizeSchema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const { tokens, model = "default" } = read.data;
  const text = await withModel(context, reply.raw, model, () => context.live.detokenize(tokens));
  return { content: text, prompt: text };
}
