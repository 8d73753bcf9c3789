/** Log probabilities of a text as the Responses API shows them. */
import type { TokenChance, TokenLogprob } from "../../../core/contract/engine";

export function logprobObject(token: TokenLogprob): object {
  return { ...chance(token), top_logprobs: token.top.map(chance) };
}

function chance({ bytes, logprob }: TokenChance): object {
  return { token: Buffer.from(bytes).toString("utf8"), bytes, logprob };
}
