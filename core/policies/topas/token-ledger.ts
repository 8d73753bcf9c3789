/** The books of a token pool: a prefix is paid once, idle ones that may go make room when it is needed. */
import { pinsYield } from "../../topas/pins";
import { freeBudget } from "../../topas/token-pool";
import { keepValue, type Ledger, type PrefixSet } from "./ledger";
import { type AgentInPlay, isResident, type World } from "./world";

export function tokenLedger(world: World, set: PrefixSet): Ledger {
  const { state, agents } = world;
  const resident = agents.map(isResident);
  let free = freeBudget(state);
  const perToken = (agent: AgentInPlay) => keepValue(agent) / Math.max(1, agent.prefixTokens);
  const spare = agents
    .filter(({ index, idle, isPinned }) => idle.length > 0 && set[index] !== true && (!isPinned || pinsYield(state)))
    .sort((a, b) => Number(a.isPinned) - Number(b.isPinned) || perToken(a) - perToken(b));
  const spareTokens = () => spare.reduce((sum, { prefixTokens }) => sum + prefixTokens, 0);

  return {
    isResident: ({ index }) => resident[index] === true,
    isFull: () => free + spareTokens() <= 0,
    admit({ agent, demand }) {
      const isHere = resident[agent.index] === true;
      const need = demand + (isHere ? 0 : agent.prefixTokens);
      if (need > free + spareTokens()) return null;
      while (free < need) {
        const victim = spare.shift();
        if (victim === undefined) return null;
        resident[victim.index] = false;
        free += victim.prefixTokens;
      }
      free -= need;
      resident[agent.index] = true;
      return isHere ? 0 : agent.bringS;
    },
  };
}
