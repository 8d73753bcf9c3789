/** A round of decisions: the policy chooses until it holds, and every choice is kept with its reasons. */
import { policies } from "../policies/policies";
import type { Choice } from "../policies/policy";
import { userChoice } from "../policies/user-choice";
import type { SchedulerConfig } from "./config";
import type { DecisionTrigger } from "./decision";
import { hasWaiting } from "./occupancy";
import type { SchedulerState } from "./state";
import type { Turn } from "./turn";

/** What would be done now: an act of the user, else the policy's choice. */
export function chooseNow(state: SchedulerState, config: SchedulerConfig): Choice {
  return userChoice(state, config) ?? policies[state.policy].choose(state, config);
}

/** Ends with a hold or with nobody waiting: each admission takes a free slot, so the loop is bounded by their number. */
export function decide(turn: Turn, trigger: DecisionTrigger): void {
  const { state, config } = turn;
  while (state.engine.phase === "ready" && hasWaiting(state)) {
    const choice = chooseNow(state, config);
    const action = choice.candidates[0]?.action ?? { kind: "hold" };
    const number = state.decisions + 1;
    const candidates = choice.candidates.slice(0, config.candidatesKept);
    const { verdict, kept, waits } = choice;
    const decision = { number, atMs: state.nowMs, policy: state.policy, trigger, candidates, verdict, kept, waits };
    turn.emit({ kind: "decision.made", decision });
    if (action.kind === "hold") return;
    const { requestId } = action;
    if (action.kind === "preempt") {
      turn.emit({ kind: "request.preempted", requestId, decision: number });
      continue;
    }
    const { slot, source, evicts } = action;
    turn.emit({ kind: "request.admitted", requestId, slot, source, evicts, decision: number });
  }
}
