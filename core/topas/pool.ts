/**
 * How the KV cache is divided, behind one interface: N slots that share nothing, or one budget of tokens in which an agent's
 * prefix is paid once. A pool only says what would fit and what would have to go; the policies choose.
 */
import type { AgentId, Milliseconds, SlotIndex } from "../contract/ids";
import type { PrefixSource } from "./decision";
import { slotPool } from "./slot-pool";
import type { RequestState, SchedulerState } from "./state";
import { tokenPool } from "./token-pool";

/** Warm content that nobody uses now: an idle slot, or a shared prefix without a running request. */
export interface Resident {
  readonly agent: AgentId;
  /** Null for a shared prefix. */
  readonly slot: SlotIndex | null;
  readonly tokens: number;
  /** How many of them are the agent's prefix. */
  readonly prefixTokens: number;
  readonly lastUsedAtMs: Milliseconds;
}

/** What goes first has the least value; null must stay. */
export type EvictionOrder = (resident: Resident) => number | null;

/** How a request would run now. */
export interface Placement {
  readonly slot: SlotIndex;
  readonly source: PrefixSource;
  readonly evicts: readonly AgentId[];
}

export interface KvPool {
  /** Somebody could be admitted now, if enough that is idle went. */
  hasRoom(state: SchedulerState): boolean;
  residents(state: SchedulerState): readonly Resident[];
  /** The place that reuses most and gives up least by the order; null if it does not fit with all that may go gone. */
  place(state: SchedulerState, request: RequestState, order: EvictionOrder): Placement | null;
}

export function kvPool(state: SchedulerState): KvPool {
  return state.engine.budgetTokens === null ? slotPool : tokenPool;
}

export const leastRecentlyUsed: EvictionOrder = ({ lastUsedAtMs }) => lastUsedAtMs;
