/** What the scripted engine draws and how likely it says that was: hashes of what the slot holds, bent by the options that can be. */
import type { SamplingOptions, TokenChance, TokenLogprob } from "../../core/contract/engine";
import type { Token } from "../../core/contract/ids";
import { hashOf, textOf } from "./scripted-tokens";

export interface Draw {
  readonly held: readonly Token[];
  readonly sampling: SamplingOptions;
  readonly vocabularySize: number;
  readonly endToken: Token | null;
}

/** A token with bias 100 is always drawn, one with bias -100 and an end token that is to be ignored never. */
export function drawToken({ held, sampling, vocabularySize, endToken }: Draw): Token {
  const biases = sampling.logitBias ?? [];
  const wanted = biases.find(({ bias }) => bias === 100);
  if (wanted) return wanted.token;
  const never = new Set(biases.filter(({ bias }) => bias === -100).map(({ token }) => token));
  if (sampling.ignoreEndOfSequence && endToken !== null) never.add(endToken);
  const seed = sampling.temperature > 0 ? (sampling.seed ?? 1) : 0;
  let token = hashOf(held, seed) % vocabularySize;
  while (never.has(token)) token = (token + 1) % vocabularySize;
  return token;
}

/** The drawn token is the likeliest, and each further one half as likely: -0.693, -1.386, ... */
export function logprobOf(token: Token, topLogprobs: number, vocabularySize: number): TokenLogprob {
  const chances = Array.from({ length: topLogprobs }, (_, rank): TokenChance => {
    return { ...chanceOf((token + rank) % vocabularySize), logprob: -(rank + 1) * Math.LN2 };
  });
  return { ...chanceOf(token), logprob: -Math.LN2, top: chances };
}

function chanceOf(token: Token): Omit<TokenChance, "logprob"> {
  return { token, bytes: [...new TextEncoder().encode(textOf([token]))] };
}

/** A vector of so many numbers from -1 to 1 that only these tokens have. */
export function vectorOf(tokens: readonly Token[], size: number, normalize: boolean): number[] {
  const numbers = Array.from({ length: size }, (_, index) => (hashOf(tokens, index + 1) % 2001) / 1000 - 1);
  const length = Math.hypot(...numbers);
  return normalize && length > 0 ? numbers.map((number) => number / length) : numbers;
}
