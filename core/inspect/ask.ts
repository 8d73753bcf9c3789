/** Asks the planner as `decide` does: the same state and configuration give the same choice, a changed one the other choice. */
import type { Choice } from "../policies/policy";
import type { SchedulerConfig } from "../topas/config";
import { chooseNow } from "../topas/decide";
import type { Action, Candidate, Terms } from "../topas/decision";
import { noTerms } from "../topas/decision";
import { hasWaiting } from "../topas/occupancy";
import type { SchedulerState } from "../topas/state";

const nothingToChoose: Choice = {
  candidates: [{ action: { kind: "hold" }, terms: noTerms, score: 0 }],
  verdict: "Nobody waits.",
  kept: null,
  waits: [],
};

export function ask(state: SchedulerState, config: SchedulerConfig): Choice {
  return hasWaiting(state) ? chooseNow(state, config) : nothingToChoose;
}

export function winnerOf(choice: Choice): Candidate {
  const [winner] = choice.candidates;
  if (winner === undefined) throw new Error("A choice has at least one candidate.");
  return winner;
}

/** The slot may be another one: who is admitted is the question. */
export function isSameAct(one: Action, other: Action): boolean {
  if (one.kind === "hold" || other.kind === "hold") return one.kind === other.kind;
  return one.kind === other.kind && one.requestId === other.requestId;
}

export function termNames(): readonly (keyof Terms)[] {
  return ["progress", "age", "priority", "fairness", "move", "slow", "reuse", "preempt"];
}
