/** What all policies need to name their candidates. */
import type { AgentId, Seconds } from "../contract/ids";
import type { Action } from "../topas/decision";
import { bestSource } from "../topas/prefix";
import type { RequestState, SchedulerState, SlotState } from "../topas/state";

/** The other agent whose warm prefix is lost when this request takes the slot. */
export function evictedAgents(request: RequestState, { tokens, agent }: SlotState): readonly AgentId[] {
  return tokens.length > 0 && agent !== null && agent !== request.spec.agent ? [agent] : [];
}

export function admitted(
  state: SchedulerState,
  request: RequestState,
  slot: SlotState,
  credit: Seconds,
): Extract<Action, { kind: "admit" }> {
  return {
    kind: "admit",
    requestId: request.spec.requestId,
    slot: slot.slot,
    source: bestSource(state, request, slot),
    evicts: evictedAgents(request, slot),
    credit,
  };
}
