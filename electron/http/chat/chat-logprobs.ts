/** Log probabilities as chat completions show them. */
import type { TokenChance, TokenLogprob } from "../../../core/contract/engine";

export function logprobsObject(logprobs: readonly TokenLogprob[]): object {
  return {
    content: logprobs.map((token) => ({ ...chanceObject(token), top_logprobs: token.top.map(chanceObject) })),
    refusal: null,
  };
}

function chanceObject({ bytes, logprob }: TokenChance): object {
  return { token: textOfBytes(bytes), logprob: finite(logprob), bytes };
}

/** A part of a character is shown as the replacement character; `bytes` has it exactly. */
export function textOfBytes(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** JSON has no infinity; OpenAI's own value for a token that cannot be drawn is -9999. */
export function finite(logprob: number): number {
  return Number.isFinite(logprob) ? logprob : -9999;
}
