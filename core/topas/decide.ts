/** A round of decisions: the policy chooses until it holds, and every choice is kept with its reasons. */
import { policies } from "../policies/policies";
import type { DecisionTrigger } from "./decision";
import type { SchedulerState, SlotState } from "./state";
import type { Turn } from "./turn";

/** Slots that can be given to a request now; one whose cancelled request is still in the batch under way cannot. */
export function freeSlots(state: SchedulerState): SlotState[] {
  const busy = new Set(state.batchInFlight?.work.map((work) => work.slot));
  return state.slots.filter((slot) => slot.requestId === null && !busy.has(slot.slot));
}

export function hasWaiting(state: SchedulerState): boolean {
  for (const request of state.requests.values()) if (request.slot === null) return true;
  return false;
}

/** Ends with a hold or with nobody waiting: each admission takes a free slot, so the loop is bounded by their number. */
export function decide(turn: Turn, trigger: DecisionTrigger): void {
  const { state, config } = turn;
  while (state.engine.phase === "ready" && hasWaiting(state)) {
    const choice = policies[state.policy].choose(state, config);
    const action = choice.candidates[0]?.action ?? { kind: "hold" };
    const number = state.decisions + 1;
    const candidates = choice.candidates.slice(0, config.candidatesKept);
    const { verdict, kept, waits } = choice;
    const decision = { number, atMs: state.nowMs, policy: state.policy, trigger, candidates, verdict, kept, waits };
    turn.emit({ kind: "decision.made", decision });
    if (action.kind === "hold") return;
    const { requestId, slot, source, evicts } = action;
    turn.emit({ kind: "request.admitted", requestId, slot, source, evicts, decision: number });
  }
}
