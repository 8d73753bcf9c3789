/** How many tokens the prompts of a request are, without running it. */
import type { FastifyReply } from "fastify";
import { withModel } from "../enter-model";
import { toApiError } from "../error-answers";
import type { HttpContext } from "../http-context";
import { promptError } from "../live-errors";
import type { GenerationRequest } from "./generation-request";
import { planGeneration } from "./plan-generation";

export async function countTokens(
  context: HttpContext,
  reply: FastifyReply,
  model: string,
  prompts: GenerationRequest["prompts"],
): Promise<number> {
  const { live, log } = context;
  return withModel(context, reply.raw, model, async (engine) => {
    try {
      const plan = planGeneration(engine, { prompts });
      const encoded = await Promise.all(plan.prompts.map(({ source }) => live.encode(source)));
      return encoded.reduce((sum, { tokens }) => sum + tokens.length, 0);
    } catch (error) {
      throw promptError(live, error) ?? toApiError(error, log);
    }
  });
}
