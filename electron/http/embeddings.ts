/** `POST /v1/embeddings`: vectors of texts, made by the loaded model between the batches of the requests that run. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { EngineDescription } from "../../core/contract/engine";
import { ApiError } from "./api-error";
import { withModel } from "./enter-model";
import { toApiError } from "./error-answers";
import { fieldError } from "./field-error";
import type { HttpContext } from "./http-context";
import { promptError } from "./live-errors";
import { type GivenPrompt, givenPrompts, promptField } from "./prompt-fields";
import { route } from "./route";
import { absent } from "./zod-absent";

/** OpenAI's own limits. */
const inputsMax = 2048;
const tokensMax = 300_000;

export const embeddingSchema = z.object({
  model: z.string().min(1, "name the model, or say 'default' for the loaded one"),
  input: promptField,
  encoding_format: absent(z.enum(["float", "base64"])),
  dimensions: absent(z.int().min(1)),
  user: absent(z.string()),
});

export function registerEmbeddings(app: FastifyInstance, context: HttpContext): void {
  for (const url of ["/v1/embeddings", "/embeddings"]) {
    route(app, url, { post: (request, reply) => answerEmbedding(context, request, reply) });
  }
}

async function answerEmbedding(context: HttpContext, { body }: FastifyRequest, reply: FastifyReply): Promise<object> {
  const read = embeddingSchema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const fields = read.data;
  return withModel(context, reply.raw, fields.model, (engine) => embedding(context, engine, fields));
}

async function embedding(
  context: HttpContext,
  { embeddingSize }: EngineDescription,
  fields: z.output<typeof embeddingSchema>,
): Promise<object> {
  const { model, input, encoding_format: format = "float", dimensions } = fields;
  if (dimensions !== undefined && dimensions > embeddingSize) {
    const message = `Wrong value for 'dimensions': this model's vectors have ${embeddingSize} numbers.`;
    throw new ApiError("invalid_value", message, { param: "dimensions" });
  }
  const { vectors, tokens } = await embed(context, givenPrompts(input, "input", inputsMax));
  const data = vectors.map((vector, index) => {
    const short = dimensions === undefined ? vector : shortened(vector, dimensions);
    return { object: "embedding", index, embedding: format === "base64" ? base64(short) : short };
  });
  return { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

async function embed({ live, log }: HttpContext, inputs: readonly GivenPrompt[]) {
  try {
    const lists: (readonly number[])[] = [];
    for (const [index, input] of inputs.entries()) {
      const tokens =
        input.kind === "tokens" ? input.tokens : await live.tokenize(input.text, { addBos: true, special: false });
      if (tokens.length === 0 || (input.kind === "text" && input.text === "")) throw emptyInput(index);
      lists.push(tokens);
    }
    const tokens = lists.reduce((sum, list) => sum + list.length, 0);
    if (tokens > tokensMax) {
      const message = `The inputs have ${tokens} tokens together; at most ${tokensMax} are possible in one call.`;
      throw new ApiError("invalid_value", message, { param: "input" });
    }
    return { vectors: await live.embed(lists, { normalize: true }), tokens };
  } catch (error) {
    throw promptError(live, error, "input") ?? toApiError(error, log);
  }
}

function emptyInput(index: number): ApiError {
  return new ApiError("invalid_value", `Input ${index} is empty; there is nothing to embed.`, { param: "input" });
}

/** Its first numbers, at length 1 again. */
function shortened(vector: readonly number[], dimensions: number): number[] {
  const first = vector.slice(0, dimensions);
  const length = Math.hypot(...first);
  return length === 0 ? first : first.map((number) => number / length);
}

/** 32-bit floating-point numbers, least significant byte first, as OpenAI's clients read them. */
function base64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  vector.forEach((number, index) => {
    bytes.writeFloatLE(number, 4 * index);
  });
  return bytes.toString("base64");
}
