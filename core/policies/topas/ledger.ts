/** Keeps the books of a plan in the making: what room is left, what had to go for it. One for each kind of pool. */
import type { Seconds } from "../../contract/ids";
import { slotLedger } from "./slot-ledger";
import { tokenLedger } from "./token-ledger";
import type { AgentInPlay, Ready, World } from "./world";

/** Which agents' prefixes may be used and have to stay, by `AgentInPlay.index`; the others may go and admit nobody. */
export type PrefixSet = readonly boolean[];

export interface Ledger {
  /** Takes the room; gives the seconds to bring the prefix there, or null (and changes nothing) if there is no room. */
  admit(ready: Ready): Seconds | null;
  isResident(agent: AgentInPlay): boolean;
  /** Nothing more can fit. */
  isFull(): boolean;
}

export function openLedger(world: World, set: PrefixSet): Ledger {
  return world.state.engine.budgetTokens === null ? slotLedger(world, set) : tokenLedger(world, set);
}

/** Orders what may go: what is lost when a warm prefix goes, more if more calls need it soon. */
export function keepValue(agent: AgentInPlay): Seconds {
  return (agent.ahead + agent.ready.length) * agent.lossS;
}
