/** What decided it: the winner's terms less the runner-up's, and a sentence made from the largest of these differences. */
import type { Terms } from "../topas/decision";
import { termNames } from "./ask";
import type { InspectedCandidate, TermDifference, WhatDecided } from "./inspection";
import { difference } from "./round-terms";
import { plainMs, signedMs, termWords, upperFirst } from "./words";

interface Rivals {
  readonly winner: InspectedCandidate;
  readonly runnerUp: InspectedCandidate;
  /** As they read in the middle of a sentence. */
  readonly winnerName: string;
  readonly runnerUpName: string;
  readonly unitMs: number;
}

export function decidedByTerms(rivals: Rivals): WhatDecided {
  const differences = differencesOf(rivals);
  const [largest] = differences;
  if (largest === undefined) {
    const sentence = `Nothing tells ${rivals.winnerName} and ${rivals.runnerUpName} apart: the first one found won.`;
    return { kind: "term", term: null, sentence, differences };
  }
  return { kind: "term", term: largest.term, sentence: sentenceOf(rivals, differences, largest), differences };
}

function differencesOf({ winner, runnerUp, unitMs }: Rivals): TermDifference[] {
  return termNames()
    .map((term) => ({ term, ms: difference(winner.termsMs[term], runnerUp.termsMs[term], unitMs) }))
    .filter(({ ms }) => ms !== 0)
    .sort((a, b) => b.ms - a.ms);
}

function sentenceOf(rivals: Rivals, differences: readonly TermDifference[], { term, ms }: TermDifference): string {
  const { winner, runnerUp, winnerName, runnerUpName, unitMs } = rivals;
  if (ms <= 0) {
    return `No term speaks for ${winnerName}: ${runnerUpName} scored more but had no room.`;
  }
  const of = (candidate: InspectedCandidate) => signedMs(candidate.termsMs[term]);
  const decided = `${named(term)} decided it: ${of(winner)} for ${winnerName}, ${of(runnerUp)} for ${runnerUpName}.`;
  const margin = difference(winner.scoreMs, runnerUp.scoreMs, unitMs);
  const without = difference(margin, ms, unitMs);
  if (without > 0) return `${decided} The other terms together say the same.`;
  const against = differences.at(-1);
  const counter =
    against === undefined || against.ms >= 0
      ? ""
      : ` ${named(against.term)} spoke for ${runnerUpName}, by ${plainMs(against.ms)}.`;
  return without < 0
    ? `${decided}${counter} Without ${termWords[term]} ${runnerUpName} would be ahead by ${plainMs(without)}.`
    : `${decided}${counter}`;
}

function named(term: keyof Terms): string {
  return upperFirst(termWords[term]);
}
