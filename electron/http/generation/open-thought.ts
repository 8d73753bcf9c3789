/** Some templates open the model's thought themselves: the prompt then ends in the mark, and the answer begins within the thought. */
import type { EncodedPrompt } from "../../../core/contract/engine";
import type { Live } from "../../live/live";
import type { PromptPlan } from "./plan-generation";
import { thoughtMark } from "./reasoning";

/** Longer than the mark and the line's end behind it in any vocabulary. */
const tailTokens = 16;

export async function endsInThought(live: Live, plan: PromptPlan, { tokens }: EncodedPrompt): Promise<boolean> {
  // An answer that is held to a form has no thought.
  if (!plan.splitsReasoning || plan.grammar !== null || !live.engine?.chat.templateKnowsThinking) return false;
  const tail = await live.detokenize(tokens.slice(-tailTokens));
  return tail.trimEnd().endsWith(thoughtMark);
}
