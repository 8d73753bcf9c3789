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
  const byValue = agents.filter(({ idle }) => idle.length > 0).sort((a, b) => keepValue(a) - keepValue(b));

  /** One copy of a prefix that the set keeps has to stay, running or idle. */
  const copies = ({ index }: AgentInPlay) => (idleLeft[index] ?? 0) + (taken[index] ?? 0);
  const canSpare = (agent: AgentInPlay) =>
    (idleLeft[agent.index] ?? 0) > 0 && ((set[agent.index] !== true && !agent.isPinned) || copies(agent) > 1);

  function takeSpare(): boolean {
    const victim = byValue.find((agent) => copies(agent) > 1 && canSpare(agent)) ?? byValue.find(canSpare);
    if (victim === undefined) return false;
    idleLeft[victim.index] = (idleLeft[victim.index] ?? 0) - 1;
    return true;
  }

  const isResident = (agent: AgentInPlay) => copies(agent) > 0;
  return {
    isResident,
    isFull: () => empty <= 0 && idleLeft.every((count) => count === 0),
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
