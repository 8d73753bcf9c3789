/**
 * Prefixes that the user pinned: they stay in the KV cache until they are unpinned. Every pool and every policy asks here who may
 * go, so that no policy can forget it. Bounded so that nothing locks up: one slot of a slot pool is never pinned, and in a token
 * pool a pinned prefix goes last of all, once nothing runs and a request has no other room.
 */
import type { AgentId } from "../contract/ids";
import type { SchedulerState, SlotState } from "./state";

/** Pinned agents of a token pool; more would leave no room worth speaking of. */
const pinsMaxInTokenPool = 16;

export function pinsMax({ engine, slots }: SchedulerState): number {
  return engine.budgetTokens === null ? Math.max(0, slots.length - 1) : pinsMaxInTokenPool;
}

/** Whether this free slot may be given to a request of `agent`: not the last copy of a prefix pinned for another. */
export function maySpareSlot(state: SchedulerState, slot: SlotState, agent: AgentId): boolean {
  if (slot.agent === null || slot.agent === agent || slot.tokens.length === 0) return true;
  return !state.pinned.has(slot.agent) || hasAnotherCopy(state, slot);
}

/** Another slot of the agent that holds as much of its prefix, idle or running. Of two equal ones the first is the copy that stays. */
function hasAnotherCopy({ slots }: SchedulerState, slot: SlotState): boolean {
  const held = heldPrefix(slot);
  return slots.some((other) => {
    if (other === slot || other.agent !== slot.agent || other.tokens.length === 0) return false;
    const otherHeld = heldPrefix(other);
    return otherHeld > held || (otherHeld === held && (other.requestId !== null || other.slot < slot.slot));
  });
}

function heldPrefix({ tokens, prefixTokens }: SlotState): number {
  return Math.min(tokens.length, prefixTokens);
}

/** Token pool: when a pinned prefix may go after all. */
export function pinsYield({ requests }: SchedulerState): boolean {
  for (const { slot } of requests.values()) if (slot !== null) return false;
  return true;
}
