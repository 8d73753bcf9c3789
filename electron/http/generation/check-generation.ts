/** What an engine is asked before a request is taken, so that it is refused in plain words and does not fail later. */
import { PromptRefused, type SamplingOptions } from "../../../core/contract/engine";
import type { Live } from "../../live/live";
import { ApiError } from "../api-error";
import { snakeCased } from "../snake-cased";
import type { GenerationRequest } from "./generation-request";
import type { GenerationPlan } from "./plan-generation";

/** Throws an `ApiError`. */
export async function checkGeneration(
  live: Live,
  { sampling }: GenerationRequest,
  plan: GenerationPlan,
): Promise<void> {
  refuseUnsupported(sampling, live.engine?.unsupportedSampling ?? []);
  const made = plan.prompts.flatMap(({ grammar }) => (grammar === null ? [] : [grammar]));
  if (sampling.ignoreEndOfSequence && (sampling.grammar !== undefined || made.length > 0)) {
    const message = "'ignore_eos' is not possible where the answer has a form: it would have no end.";
    throw new ApiError("unsupported_parameter", message, { param: "ignore_eos" });
  }
  if (sampling.grammar !== undefined) await checkGrammar(live, sampling.grammar, "grammar", "");
  const why = "The JSON schema cannot be made a grammar; it may be too large, or hold itself and nothing else. ";
  for (const grammar of new Set(made)) await checkGrammar(live, grammar, null, why);
}

function refuseUnsupported(sampling: SamplingOptions, unsupported: readonly (keyof SamplingOptions)[]): void {
  const option = unsupported.find((each) => sampling[each] !== undefined);
  if (option === undefined) return;
  const [param = option] = Object.keys(snakeCased({ [option]: true }));
  throw new ApiError("unsupported_parameter", `This engine cannot draw with '${param}'.`, { param });
}

async function checkGrammar(live: Live, grammar: string, param: string | null, why: string): Promise<void> {
  try {
    await live.checkGrammar(grammar);
  } catch (error) {
    if (!(error instanceof PromptRefused)) throw error;
    throw new ApiError("invalid_value", `${why}${error.message}`, param === null ? {} : { param });
  }
}
