/**
 * TOPAS over a slot pool: each pair of a waiting request and a free slot is scored in seconds, and so is leaving the
 * slots as they are. The best pair is admitted, then the rest is looked at again (arXiv 2608.25523; core/README.md).
 */
import type { SchedulerConfig } from "../topas/config";
import type { Candidate } from "../topas/decision";
import { freeSlots, waitingRequests } from "../topas/occupancy";
import type { RequestState, SchedulerState } from "../topas/state";
import type { Choice, Policy } from "./policy";
import { holdCandidate, type Scorer, scoreOf, scorer } from "./topas-score";
import { holdReason, whyAdmitted, whyFirst } from "./topas-words";
import { waitsFor } from "./waits";

export const topas: Policy = {
  name: "topas",
  choose(state, config) {
    const waiting = waitingRequests(state);
    const score = scorer(state, config);
    const candidates = freeSlots(state).flatMap((slot) => waiting.map((request) => score.admission(request, slot)));
    const overdue = overdueRequest(state, waiting, config);
    if (mayHold(state, overdue)) candidates.push(holdCandidate(config.holdCostS));
    candidates.sort((a, b) => compare(state, a, b, overdue, score));
    const best = candidates[0] ?? holdCandidate(0);
    if (best.action.kind === "hold") return held(state, waiting, candidates, score);
    return { candidates, verdict: whyAdmitted(state, best, candidates[1], overdue), kept: null, waits: [] };
  },
};

/** With nothing running, or with a request past its bound, doing nothing is not a choice. */
function mayHold(state: SchedulerState, overdue: RequestState | null): boolean {
  return overdue === null && state.slots.some((slot) => slot.requestId !== null);
}

/** The oldest request that has waited longer than the bound. */
function overdueRequest(
  state: SchedulerState,
  waiting: readonly RequestState[],
  config: SchedulerConfig,
): RequestState | null {
  const oldest = waiting[0];
  return oldest !== undefined && state.nowMs - oldest.arrivedAtMs >= config.waitBoundMs ? oldest : null;
}

/** An overdue request first, then the score; equal scores go by the slot that costs least, then by arrival. */
function compare(
  state: SchedulerState,
  a: Candidate,
  b: Candidate,
  overdue: RequestState | null,
  score: Scorer,
): number {
  if (overdue !== null) {
    const first = Number(isOf(b, overdue)) - Number(isOf(a, overdue));
    if (first !== 0) return first;
  }
  if (a.score !== b.score) return b.score - a.score;
  if (a.action.kind !== "admit" || b.action.kind !== "admit") return a.action.kind === "hold" ? 1 : -1;
  return score.keepValue(a.action.slot) - score.keepValue(b.action.slot) || arrivalOf(state, a) - arrivalOf(state, b);
}

function isOf(candidate: Candidate, request: RequestState): boolean {
  return candidate.action.kind === "admit" && candidate.action.requestId === request.spec.requestId;
}

function arrivalOf(state: SchedulerState, { action }: Candidate): number {
  return action.kind === "admit" ? (state.requests.get(action.requestId)?.arrival ?? 0) : 0;
}

function held(
  state: SchedulerState,
  waiting: readonly RequestState[],
  candidates: readonly Candidate[],
  score: Scorer,
): Choice {
  const ranked = waiting
    .map((request) => ({ request, best: scoreOf(candidates, request) ?? score.inAnySlot(request) }))
    .sort((a, b) => b.best.score - a.best.score || a.request.arrival - b.request.arrival);
  const order = ranked.map(({ request, best }, place) => {
    const next = ranked[place + 1]?.best;
    return { request, score: best.score, goesFirst: next === undefined ? "" : whyFirst(state, request, best, next) };
  });
  const reason = freeSlots(state).length > 0 ? holdReason(state, candidates) : null;
  const verdict = reason?.verdict ?? "Admitted nobody: no slot is free.";
  return {
    candidates: candidates.length > 0 ? candidates : [holdCandidate(0)],
    verdict,
    kept: reason?.reason.kind === "prefix" ? reason.reason.kept : null,
    waits: waitsFor(state, order, reason?.reason ?? null),
  };
}
