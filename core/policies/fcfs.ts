/** First come, first served: the oldest request takes the free slot that already holds most of its prompt. Never holds a slot back. */

import type { Candidate, Terms } from "../topas/decision";
import { freeSlots, waitingRequests } from "../topas/occupancy";
import { bestSource } from "../topas/prefix";
import type { RequestState, SchedulerState, SlotState } from "../topas/state";
import { admitted, evictedAgent } from "./candidates";
import type { Policy } from "./policy";
import { type WaitOrder, waitsFor } from "./waits";

export const fcfs: Policy = {
  name: "fcfs",
  choose(state) {
    const waiting = waitingRequests(state);
    const free = freeSlots(state);
    const candidates =
      free.length > 0 ? waiting.map((request) => candidate(state, request, bestSlot(state, request, free))) : [];
    const first = candidates[0];
    if (first === undefined) {
      const order: WaitOrder[] = waiting.map((request) => ({
        request,
        score: ageSeconds(state, request),
        goesFirst: "it arrived earlier",
      }));
      return {
        candidates: [hold],
        verdict: "Admitted nobody: no slot is free.",
        kept: null,
        waits: waitsFor(state, order, null),
      };
    }
    return { candidates, verdict: `Admitted ${waiting[0]?.label}: it arrived first.`, kept: null, waits: [] };
  },
};

const nothing: Terms = { progress: 0, age: 0, move: 0, slow: 0, reuse: 0 };
const hold: Candidate = { action: { kind: "hold" }, terms: nothing, score: 0 };

const ageSeconds = (state: SchedulerState, request: RequestState) => (state.nowMs - request.arrivedAtMs) / 1000;

function candidate(state: SchedulerState, request: RequestState, slot: SlotState): Candidate {
  const age = ageSeconds(state, request);
  return { action: admitted(state, request, slot), terms: { ...nothing, age }, score: age };
}

/** Most tokens in place or to fork; among equals an empty slot, then the one idle for longest. */
function bestSlot(state: SchedulerState, request: RequestState, free: readonly SlotState[]): SlotState {
  const rank = (slot: SlotState) => {
    const source = bestSource(state, request, slot);
    const inPlace = source.kind === "in_place" ? 1 : 0;
    const evicts = evictedAgent(request, slot) === null ? 0 : 1;
    return [source.tokens, inPlace, -evicts, -slot.lastUsedAtMs];
  };
  return free.reduce((best, slot) => (isBetter(rank(slot), rank(best)) ? slot : best));
}

function isBetter(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
