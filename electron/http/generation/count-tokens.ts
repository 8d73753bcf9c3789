/** How many tokens the prompts of a request are, without running it. */
import { toApiError } from "../error-answers";
import type { HttpContext } from "../http-context";
import { promptError } from "../live-errors";
import { requireModel } from "../models";
import type { GenerationRequest } from "./generation-request";
import { planGeneration } from "./plan-generation";

export async function countTokens(
  { live, log }: HttpContext,
  model: string,
  prompts: GenerationRequest["prompts"],
): Promise<number> {
  const plan = planGeneration(requireModel(live, model), { prompts });
  try {
    const encoded = await Promise.all(plan.prompts.map(({ source }) => live.encode(source)));
    return encoded.reduce((sum, { tokens }) => sum + tokens.length, 0);
  } catch (error) {
    throw promptError(live, error) ?? toApiError(error, log);
  }
}
