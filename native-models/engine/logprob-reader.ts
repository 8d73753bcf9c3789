/**
 * Log probabilities of drawn tokens, from the logits as the model gave them: no bias, penalty, grammar or temperature. Costs
 * two more passes over the vocabulary for each token, for the requests that ask for them only.
 */
import type { TokenChance, TokenLogprob } from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";
import type { NativeContext, NativeSampler } from "./native-context";
import { tokenBytes } from "./token-bytes";

/** What OpenAI's API gives for a token that is all but impossible; JSON has no infinity. */
const LOWEST = -9999;

export class LogprobReader {
  readonly #native: NativeContext;
  readonly #greedy: NativeSampler;
  readonly #best: NativeSampler | null;

  constructor(native: NativeContext, topLogprobs: number) {
    this.#native = native;
    this.#greedy = native.createSampler({ temperature: 0 });
    this.#best = topLogprobs > 0 ? native.createSampler({ temperature: 1, topK: topLogprobs, seed: 0 }) : null;
  }

  /** Must be called before the next decode: the logits are the last one's. */
  async read(logitIndex: number, token: Token): Promise<TokenLogprob> {
    const { logit, logSum, top } = await this.#native.logits(logitIndex, token, {
      greedy: this.#greedy,
      best: this.#best,
    });
    return {
      ...this.#chance(token, logit - logSum),
      top: top.map(([each, eachLogit]) => this.#chance(each, eachLogit - logSum)),
    };
  }

  dispose(): void {
    this.#greedy.dispose();
    this.#best?.dispose();
  }

  /** Rounding may give a little more than 0 for a token that is certain. */
  #chance(token: Token, logprob: number): TokenChance {
    const bytes = tokenBytes(this.#native.vocabularyEntry(token));
    // Adding 0 makes 0 of -0, which would not survive JSON.
    return { token, bytes, logprob: Math.max(LOWEST, Math.min(0, logprob)) + 0 };
  }
}
