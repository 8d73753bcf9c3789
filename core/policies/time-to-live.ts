/** Continuum's time to live for the KV cache of a program that is away at a tool (arXiv 2511.02230), from the gaps seen so far. */
import type { Seconds } from "../contract/ids";

/** With no more gaps than that nothing is known of their distribution. */
const gapsMin = 100;
const unknownTimeToLiveS = 1;

/** `benefitS` = what it saves if the program is back in time: its next wait for room (T * eta) and computing its content again. */
export type TimeToLive = (benefitS: Seconds) => Seconds;

/** argmax over tau in {0} and the gaps of P(gap <= tau) * benefit - tau */
export function timeToLive(gapsMs: readonly number[]): TimeToLive {
  if (gapsMs.length <= gapsMin) return () => unknownTimeToLiveS;
  const gapsS = gapsMs.map((gapMs) => gapMs / 1000).sort((a, b) => a - b);
  return (benefitS) => {
    let best = 0;
    let bestValue = 0;
    for (const [index, gapS] of gapsS.entries()) {
      const value = ((index + 1) / gapsS.length) * benefitS - gapS;
      if (value <= bestValue) continue;
      best = gapS;
      bestValue = value;
    }
    return best;
  };
}
