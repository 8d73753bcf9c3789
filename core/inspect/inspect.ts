/**
 * Takes a decision apart: its candidates with terms that add up, what decided it, what would have turned it, what other policies
 * would have done, and what came of it. All of it is worked out from the state right before the decision by the same code that
 * decides; it reads nothing else but the records of what happened to the requests afterwards.
 */
import type { PolicyName } from "../contract/policy-name";
import { userChoice } from "../policies/user-choice";
import type { SchedulerConfig } from "../topas/config";
import type { Candidate, Decision } from "../topas/decision";
import { kvPool } from "../topas/pool";
import type { RequestState, SchedulerState } from "../topas/state";
import { ask, isSameAct, winnerOf } from "./ask";
import type { Steps } from "./asking";
import { evictionsOf } from "./evictions";
import { findFlips } from "./flips";
import { expectations, type Records } from "./foresee";
import type { Flips, InspectedCandidate, InspectedKind, Inspection, OtherChoice, WhatDecided } from "./inspection";
import { difference, roundScore, roundTerms, unitFor } from "./round-terms";
import type { DecisionMoment } from "./state-log";
import { decidedByTerms } from "./what-decided";
import { actionWords, actName, causeOf } from "./words";

/** Those that everybody knows, and our own. */
const comparedPolicies: readonly PolicyName[] = ["topas", "fcfs", "lpm"];

const nobodyElse: Flips = { target: null, targetRequestId: null, list: [], tried: [], asked: 0 };

/** In one go. `records` are those of now: the later, the more is known of what happened. */
export function inspect(moment: DecisionMoment, config: SchedulerConfig, records: Records): Inspection {
  const steps = inspectInSteps(moment, config, records);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same, to be gone on with at leisure: it yields before each question to the planner. */
export function* inspectInSteps(
  { state, decision }: DecisionMoment,
  config: SchedulerConfig,
  records: Records,
): Steps<Inspection> {
  const [first] = decision.candidates;
  if (first === undefined) throw new Error(`Decision ${decision.number} was made without being explained.`);
  const unitMs = unitFor(decision.candidates);
  const candidates = decision.candidates.map((one, at) => inspected(state, decision, one, at + 1, unitMs));
  const others: OtherChoice[] = [];
  for (const policy of comparedPolicies) {
    if (policy === decision.policy) continue;
    yield;
    others.push(otherChoice(state, config, policy, first));
  }
  const flips = yield* flipsOf(state, config, decision, first);
  const [winner, runnerUp] = candidates;
  const { action } = first;
  const request = action.kind === "hold" ? undefined : state.requests.get(action.requestId);
  return {
    decision: decision.number,
    atMs: decision.atMs,
    policy: decision.policy,
    trigger: decision.trigger,
    cause: causeOf(decision.trigger),
    kind: kindOf(state, decision),
    verdict: decision.verdict,
    kept: decision.kept,
    taskId: request?.spec.taskId ?? null,
    unitMs,
    candidates,
    marginMs: winner && runnerUp ? difference(winner.scoreMs, runnerUp.scoreMs, unitMs) : null,
    decided: userChoice(state, config) === null ? whatDecided(state, decision, candidates, unitMs) : byUser(decision),
    others,
    flips,
    evictions: evictionsOf(state, action),
    expectations: expectations(state, config, decision, records),
  };
}

function inspected(
  state: SchedulerState,
  { kept }: Decision,
  { action, terms, score }: Candidate,
  place: number,
  unitMs: number,
): InspectedCandidate {
  const request = action.kind === "hold" ? undefined : state.requests.get(action.requestId);
  return {
    place,
    action: action.kind === "preempt" ? "park" : action.kind,
    words: actionWords(state, action, kept),
    requestId: request?.spec.requestId ?? null,
    label: request?.label ?? null,
    agent: request?.spec.agent ?? (kept !== null && action.kind === "hold" ? kept.agent : null),
    slot: action.kind === "hold" ? (kept?.slot ?? null) : action.slot,
    source: action.kind === "admit" ? action.source : null,
    evicts: action.kind === "admit" ? action.evicts : [],
    termsMs: roundTerms(terms, score, unitMs),
    scoreMs: roundScore(score, unitMs),
  };
}

function kindOf(state: SchedulerState, { candidates, kept }: Decision): InspectedKind {
  const action = candidates[0]?.action;
  if (action?.kind === "preempt") return "park";
  if (action?.kind === "admit") return action.evicts.length > 0 ? "evict" : "admit";
  if (kept !== null) return "keep";
  return kvPool(state).hasRoom(state) ? "hold" : "full";
}

function byUser({ verdict }: Decision): WhatDecided {
  return { kind: "user", term: null, sentence: verdict, differences: [] };
}

function whatDecided(
  state: SchedulerState,
  { policy, candidates, verdict }: Decision,
  [winner, runnerUp]: readonly InspectedCandidate[],
  unitMs: number,
): WhatDecided {
  const [first, second] = candidates;
  if (!winner || !runnerUp || !first || !second)
    return { kind: "alone", term: null, sentence: verdict, differences: [] };
  if (policy !== "topas") return { kind: "rank", term: null, sentence: verdict, differences: [] };
  const winnerName = actName(state, first.action);
  const runnerUpName = actName(state, second.action);
  return decidedByTerms({ winner, runnerUp, winnerName, runnerUpName, unitMs });
}

function otherChoice(
  state: SchedulerState,
  config: SchedulerConfig,
  policy: PolicyName,
  first: Candidate,
): OtherChoice {
  const choice = ask({ ...state, policy }, config);
  const { action } = winnerOf(choice);
  const requestId = action.kind === "hold" ? null : action.requestId;
  return { policy, isSame: isSameAct(action, first.action), words: actionWords(state, action, choice.kept), requestId };
}

/** The best candidate that admits somebody else; where no other was scored, the first of those that wait, or holding. */
function* flipsOf(state: SchedulerState, config: SchedulerConfig, decision: Decision, winner: Candidate): Steps<Flips> {
  const rivals = decision.candidates.filter(({ action }) => !isSameAct(action, winner.action));
  const rival = rivals.find(({ action }) => action.kind === "admit") ?? null;
  const target = rival === null ? firstWaiting(state, decision, winner) : requestOf(state, rival);
  if (target === null && rivals.length === 0) return nobodyElse;
  const winnersAgent = decision.kept?.agent ?? requestOf(state, winner)?.spec.agent ?? null;
  return yield* findFlips({ state, config, target, targetScored: rival, winnerScored: winner, winnersAgent });
}

function requestOf(state: SchedulerState, { action }: Candidate): RequestState | null {
  return action.kind === "hold" ? null : (state.requests.get(action.requestId) ?? null);
}

function firstWaiting(state: SchedulerState, { waits }: Decision, winner: Candidate): RequestState | null {
  const own = winner.action.kind === "hold" ? null : winner.action.requestId;
  const ordered = waits.flatMap(({ requestId }) => state.requests.get(requestId) ?? []);
  const waiting = ordered.length > 0 ? ordered : [...state.requests.values()].filter(({ slot }) => slot === null);
  return waiting.find(({ spec }) => spec.requestId !== own) ?? null;
}
