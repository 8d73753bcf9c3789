/** The books of a slot pool: a request takes its agent's idle slot, else an empty one, else the one that is worth least. */
import { copySeconds } from "../../topas/cost";
import { freeSlots } from "../../topas/occupancy";
import { keepValue, type Ledger, type PrefixSet } from "./ledger";
import type { AgentInPlay, World } from "./world";

export function slotLedger(world: World, set: PrefixSet): Ledger {
  const { state, agents } = world;
  const idleLeft = agents.map(({ idle }) => idle.length);
  const taken = agents.map(({ running }) => running);
  const inUse = agents.reduce((sum, { idle }) => sum + idle.length, 0);
  let empty = freeSlots(state).length - inUse;
  const spare = agents
    .filter(({ index, idle }) => idle.length > 0 && set[index] !== true)
    .sort((a, b) => keepValue(a) - keepValue(b));

  function takeSpare(): boolean {
    const victim = spare.find(({ index }) => (idleLeft[index] ?? 0) > 0);
    if (victim === undefined) return false;
    idleLeft[victim.index] = (idleLeft[victim.index] ?? 0) - 1;
    return true;
  }

  const isResident = ({ index }: AgentInPlay) => (idleLeft[index] ?? 0) + (taken[index] ?? 0) > 0;
  return {
    isResident,
    isFull: () => empty <= 0 && spare.length === 0 && idleLeft.every((count) => count === 0),
    admit({ agent }) {
      const { index } = agent;
      const ownIdle = idleLeft[index] ?? 0;
      const wasResident = isResident(agent);
      if (ownIdle > 0) idleLeft[index] = ownIdle - 1;
      else if (empty > 0) empty -= 1;
      else if (!takeSpare()) return null;
      taken[index] = (taken[index] ?? 0) + 1;
      if (ownIdle > 0) return 0;
      return wasResident ? Math.min(agent.bringS, copySeconds(state.engine.costs)) : agent.bringS;
    },
  };
}
