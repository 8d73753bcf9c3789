/** What a slot loses when a request takes it. */
import type { AgentId } from "../contract/ids";
import type { RequestState, SlotState } from "../topas/state";

/** The other agent whose warm prefix is lost when this request takes the slot. */
export function evictedAgents(request: RequestState, { tokens, agent }: SlotState): readonly AgentId[] {
  return tokens.length > 0 && agent !== null && agent !== request.spec.agent ? [agent] : [];
}
