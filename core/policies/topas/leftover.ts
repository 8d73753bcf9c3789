/**
 * What would be lost with the tokens that a free slot still holds, also for agents of whom no workflow says when they come
 * back. It only says which slot to take; it must never be a reason to let a request wait.
 */
import type { AgentId, Seconds } from "../../contract/ids";
import { commonPrefixTokens } from "../../topas/common-prefix";
import { prefillSeconds } from "../../topas/cost";
import { freeSlots } from "../../topas/occupancy";
import { reusableTokens } from "../../topas/prefix";
import type { RequestState, SchedulerState, SlotState } from "../../topas/state";

/** How often what was just used is asked for again. Low: a clear saving elsewhere wins against it. */
const returnShare = 0.25;
/** Every so long it becomes half as likely. */
const returnHalfMs = 60_000;

/** Seconds by which taking this slot loses more than taking the free slot that loses least. */
export type LeftoverLoss = (request: RequestState, slot: SlotState) => Seconds;

/** `toCome` = calls still to come of each agent in the tasks under way. */
export function leftoverLoss(state: SchedulerState, toCome: ReadonlyMap<AgentId, number>): LeftoverLoss {
  const declared = declaredAgents(state);
  const free = freeSlots(state);
  const heldElsewhere = new Map(free.map((slot) => [slot.slot, sharedWithOthers(state, slot)]));
  const leastOf = new Map<RequestState, Seconds>();

  /*
   * slot     [ what the request reuses | lost                ]
   * another  [ what another slot holds as well | ...
   */
  function lossOf(request: RequestState, slot: SlotState): Seconds {
    if (slot.agent === null) return 0;
    const kept = Math.max(reusableTokens(request, slot.tokens), heldElsewhere.get(slot.slot) ?? 0);
    // A declared stage brings its own prompt behind the prefix; whoever declares nothing may go on with the conversation.
    const held = declared.has(slot.agent) ? Math.min(slot.prefixTokens, slot.tokens.length) : slot.tokens.length;
    const maybe = returnShare * 0.5 ** ((state.nowMs - slot.lastUsedAtMs) / returnHalfMs);
    const likelihood = (toCome.get(slot.agent) ?? 0) > 0 ? 1 : maybe;
    return likelihood * prefillSeconds(state.engine.costs, held - kept);
  }

  return (request, slot) => {
    const known = leastOf.get(request);
    const least = known ?? Math.min(...free.map((other) => lossOf(request, other)));
    if (known === undefined) leastOf.set(request, least);
    return Math.max(0, lossOf(request, slot) - least);
  };
}

function declaredAgents(state: SchedulerState): ReadonlySet<AgentId> {
  const agents = new Set<AgentId>();
  for (const { stages } of state.workflows.values()) {
    for (const { agent } of stages) if (agent !== null) agents.add(agent);
  }
  return agents;
}

function sharedWithOthers(state: SchedulerState, slot: SlotState): number {
  const others = state.slots.filter((other) => other.slot !== slot.slot);
  return Math.max(0, ...others.map((other) => commonPrefixTokens(slot.tokens, other.tokens)));
}
