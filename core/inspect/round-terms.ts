/**
 * Terms and scores in whole milliseconds that still add up: each term is rounded down and those that lost most by it are given
 * one more, until the sum is the rounded score. Where a margin would round to zero, everything is told in microseconds.
 */
import type { Candidate, Terms } from "../topas/decision";
import { termNames } from "./ask";
import type { TermsMs } from "./inspection";

const fineUnitMs = 0.001;

/** Largest unit in which no two neighbours that differ look alike. */
export function unitFor(candidates: readonly Candidate[]): number {
  const isTold = candidates.every(({ score }, at) => {
    const next = candidates[at + 1];
    return next === undefined || next.score === score || inUnits(next.score, 1) !== inUnits(score, 1);
  });
  const isNothing = candidates.some(({ score }) => score !== 0 && inUnits(score, 1) === 0);
  return isTold && !isNothing ? 1 : fineUnitMs;
}

export function roundScore(score: number, unitMs: number): number {
  return fromUnits(inUnits(score, unitMs), unitMs);
}

export function roundTerms(terms: Terms, score: number, unitMs: number): TermsMs {
  const names = termNames();
  const exact = names.map((name) => (terms[name] * 1000) / unitMs);
  const whole = exact.map(Math.floor);
  const missing = inUnits(score, unitMs) - whole.reduce((sum, units) => sum + units, 0);
  // A term that is nothing stays nothing: "+1" out of rounding alone would be a lie.
  const byLoss = names.map((_, at) => at).filter((at) => exact[at] !== 0);
  byLoss.sort((a, b) => lost(exact, b) - lost(exact, a));
  for (const at of byLoss.slice(0, Math.max(0, missing))) whole[at] = (whole[at] ?? 0) + 1;
  const entries = names.map((name, at) => [name, fromUnits(whole[at] ?? 0, unitMs)] as const);
  return Object.fromEntries(entries) as Record<keyof Terms, number>;
}

function lost(exact: readonly number[], at: number): number {
  const value = exact[at] ?? 0;
  return value - Math.floor(value);
}

function inUnits(seconds: number, unitMs: number): number {
  return Math.round((seconds * 1000) / unitMs) + 0; // never -0
}

/** Sums and differences of figures, without the dust of binary fractions. */
export function fromUnits(units: number, unitMs: number): number {
  return unitMs === 1 ? units + 0 : Number((units * unitMs).toFixed(3)) + 0;
}

export function difference(one: number, other: number, unitMs: number): number {
  return fromUnits(Math.round((one - other) / unitMs), unitMs);
}
