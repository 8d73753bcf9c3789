/** What the user's acts make of a decision, the same under every policy: a paused queue, a request moved to the front. */
import type { SchedulerConfig } from "../topas/config";
import { type Candidate, noTerms } from "../topas/decision";
import { waitingRequests } from "../topas/occupancy";
import { kvPool, leastRecentlyUsed } from "../topas/pool";
import type { RequestState, SchedulerState } from "../topas/state";
import type { Choice } from "./policy";
import { overdueRequest } from "./topas/overdue";
import { waitsFor } from "./waits";

const holding: Candidate = { action: { kind: "hold" }, terms: noTerms, score: 0 };

/** Null where no act says anything, so that the policy decides. */
export function userChoice(state: SchedulerState, config: SchedulerConfig): Choice | null {
  if (state.isPaused) return pausedChoice(state, config);
  const moved = movedUpFirst(state);
  if (moved === null) return null;
  // TOPAS's bound on waiting holds against everybody, the user's favourites too.
  if (state.policy === "topas" && overdueRequest(state, config) !== null) return null;
  return moveChoice(state, moved, config);
}

function movedUpFirst(state: SchedulerState): RequestState | null {
  let first: RequestState | null = null;
  for (const request of state.requests.values()) {
    if (request.slot !== null || request.movedUp === null) continue;
    if (first === null || request.movedUp > (first.movedUp ?? 0)) first = request;
  }
  return first;
}

function pausedChoice(state: SchedulerState, { candidatesKept }: SchedulerConfig): Choice {
  const waits = candidatesKept === 0 ? [] : waitsFor(state, userOrder(state), { kind: "paused" });
  return { candidates: [holding], verdict: "Admitted nobody: paused by the user.", kept: null, waits };
}

function moveChoice(state: SchedulerState, moved: RequestState, { candidatesKept }: SchedulerConfig): Choice {
  const placement = kvPool(state).place(state, moved, leastRecentlyUsed);
  if (placement === null) {
    const verdict = `Admitted nobody: ${moved.label}, moved up by the user, has no room yet.`;
    return {
      candidates: [holding],
      verdict,
      kept: null,
      waits: candidatesKept === 0 ? [] : waitsFor(state, userOrder(state), null),
    };
  }
  const { slot, source, evicts } = placement;
  const action = { kind: "admit", requestId: moved.spec.requestId, slot, source, evicts } as const;
  const gone = evicts.length === 0 ? "" : `, evicting ${evicts.join(" and ")}`;
  const verdict = `Admitted ${moved.label} to slot ${slot}${gone}: moved up by the user.`;
  return { candidates: [{ action, terms: noTerms, score: 0 }], verdict, kept: null, waits: [] };
}

/** Moved ones in front, the last moved first; the others as they came. */
function userOrder(state: SchedulerState) {
  const rank = ({ movedUp }: RequestState) => movedUp ?? 0;
  return waitingRequests(state)
    .sort((a, b) => rank(b) - rank(a) || a.arrival - b.arrival)
    .map((request) => ({
      request,
      score: 0,
      goesFirst: request.movedUp === null ? "it arrived earlier" : "it was moved up by the user",
    }));
}
