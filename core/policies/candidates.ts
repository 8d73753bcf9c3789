/** What all policies need to name their candidates. */
import type { AgentId } from "../contract/ids";
import type { Action } from "../topas/decision";
import { bestSource } from "../topas/prefix";
import type { RequestState, SchedulerState, SlotState } from "../topas/state";

/** The other agent whose warm prefix is lost when this request takes the slot. */
export function evictedAgent(request: RequestState, slot: SlotState): AgentId | null {
  return slot.tokens.length > 0 && slot.agent !== request.spec.agent ? slot.agent : null;
}

export function admitted(
  state: SchedulerState,
  request: RequestState,
  slot: SlotState,
): Extract<Action, { kind: "admit" }> {
  return {
    kind: "admit",
    requestId: request.spec.requestId,
    slot: slot.slot,
    source: bestSource(state, request, slot),
    evicts: evictedAgent(request, slot),
  };
}
