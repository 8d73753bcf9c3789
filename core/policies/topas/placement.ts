/** Where a request of the plan runs: the slot in which least has to be computed and least is lost. What the plan keeps stays. */
import type { AgentId, Seconds } from "../../contract/ids";
import { copySeconds, prefillSeconds, restoreSeconds } from "../../topas/cost";
import type { PrefixSource } from "../../topas/decision";
import { callsToCome } from "../../topas/next-stages";
import { freeSlots } from "../../topas/occupancy";
import { maySpareSlot } from "../../topas/pins";
import { kvPool, type Placement } from "../../topas/pool";
import { bestSource } from "../../topas/prefix";
import type { RequestState, SchedulerState, SlotState } from "../../topas/state";
import { evictedAgents } from "../candidates";
import { keepValue, type PrefixSet } from "./ledger";
import { type LeftoverLoss, leftoverLoss } from "./leftover";
import type { World } from "./world";

/** Small enough that how lately a slot was used only parts slots that are worth the same. */
const leastRecentShare = 1e-6;

export function placeOf(world: World, request: RequestState, set: PrefixSet): Placement | null {
  const { state } = world;
  return state.engine.budgetTokens === null ? inSlot(world, request, set) : inTokenPool(world, request, set);
}

function inTokenPool(world: World, request: RequestState, set: PrefixSet): Placement | null {
  const agents = new Map(world.agents.map((agent) => [agent.id, agent]));
  return kvPool(world.state).place(world.state, request, ({ agent, tokens }) => {
    const known = agents.get(agent);
    if (known === undefined) return 0;
    return set[known.index] === true ? null : keepValue(known) / Math.max(1, tokens);
  });
}

function inSlot(world: World, request: RequestState, set: PrefixSet): Placement | null {
  const { state } = world;
  const lossOf = slotLoss(world, request, set);
  let best: { placement: Placement; cost: Seconds } | null = null;
  for (const slot of freeSlots(state)) {
    const loss = lossOf(slot);
    if (loss === null) continue;
    const source = bestSource(state, request, slot);
    const cost = loss + bringSeconds(state, request, source);
    if (best !== null && cost >= best.cost) continue;
    best = { cost, placement: { slot: slot.slot, source, evicts: evictedAgents(request, slot) } };
  }
  return best?.placement ?? null;
}

interface Prices {
  readonly toCome: ReadonlyMap<AgentId, number>;
  readonly leftover: LeftoverLoss;
}

/** The same for all placements of one decision. */
const known = new WeakMap<World, Prices>();

function pricesOf(world: World): Prices {
  const seen = known.get(world);
  if (seen !== undefined) return seen;
  const toCome = callsToCome(world.state);
  const prices = { toCome, leftover: leftoverLoss(world.state, toCome) };
  known.set(world, prices);
  return prices;
}

/** Seconds that giving a slot away costs; null for one that the plan keeps for another agent. */
function slotLoss(world: World, request: RequestState, set: PrefixSet): (slot: SlotState) => Seconds | null {
  const { state } = world;
  const { toCome, leftover } = pricesOf(world);
  return (slot) => {
    if (slot.agent === null || slot.tokens.length === 0) return 0;
    const recent = leastRecentShare * (slot.lastUsedAtMs / (1 + state.nowMs));
    const agent = world.agents.find(({ id }) => id === slot.agent);
    if (slot.agent === request.spec.agent || agent === undefined) return leftover(request, slot) + recent;
    const isOnly = agent.running === 0 && agent.idle.length === 1;
    if (set[agent.index] === true && isOnly) return null;
    if (!maySpareSlot(state, slot, request.spec.agent)) return null;
    const later = 1e-3 * (toCome.get(slot.agent) ?? 0) * prefillSeconds(state.engine.costs, slot.prefixTokens);
    return leftover(request, slot) + (isOnly ? keepValue(agent) : 0) + later + recent;
  };
}

/** Time to get the whole prompt there, moved and computed. */
function bringSeconds(state: SchedulerState, { spec }: RequestState, source: PrefixSource): Seconds {
  const { costs } = state.engine;
  const computed = prefillSeconds(costs, spec.promptTokens.length - source.tokens);
  switch (source.kind) {
    case "fork":
      return computed + copySeconds(costs);
    case "restore":
      return computed + restoreSeconds(costs, source.tokens);
    case "in_place":
    case "prefill":
      return computed;
    default:
      return source satisfies never;
  }
}
