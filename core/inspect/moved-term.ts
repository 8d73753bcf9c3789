/** Which term a change moved most: it makes plain how the other one came to win. */
import type { Candidate, Terms } from "../topas/decision";
import type { RequestState, SchedulerState } from "../topas/state";
import { termNames } from "./ask";
import type { Flip } from "./inspection";
import { roundScore } from "./round-terms";
import { labelOf } from "./words";

export interface Scored {
  readonly terms: Terms;
  readonly score: number;
}

interface Before {
  readonly state: SchedulerState;
  readonly target: RequestState | null;
  readonly targetScored: Scored | null;
}

/** Of the target, which stands first among the new candidates. Null if it was not scored before, or no term moved. */
export function moved({ state, target, targetScored }: Before, candidates: readonly Candidate[]): Flip["moved"] {
  const [now] = candidates;
  if (target === null || targetScored === null || now === undefined) return null;
  const { terms } = targetScored;
  const by = (term: keyof Terms) => Math.abs(now.terms[term] - terms[term]);
  const term = termNames().reduce((most, name) => (by(name) > by(most) ? name : most));
  const fromMs = roundScore(terms[term], 1);
  const toMs = roundScore(now.terms[term], 1);
  return fromMs === toMs ? null : { whose: labelOf(state, target.spec.requestId), term, fromMs, toMs };
}
