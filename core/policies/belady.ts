/**
 * Belady's eviction under FCFS: what is called again last goes first. It has to be told all calls to come, which only a simulation
 * can: a bound for the eviction orders, never a choice for a running server.
 */
import type { AgentId } from "../contract/ids";
import { kvPool } from "../topas/pool";
import type { SchedulerState } from "../topas/state";
import { waitedSeconds } from "./fcfs";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

/** More calls than any simulation makes. */
const neverAgain = 1e9;

export const belady = rankedPolicy({
  name: "belady",
  order: (state, waiting) => orderBy(waiting, [], (request) => ({ age: waitedSeconds(state, request) })),
  evict(state) {
    const nextCall = callsAhead(state);
    // A fraction of a call, so that of those never called again the one unused for longest goes.
    return ({ agent, lastUsedAtMs }) => lastUsedAtMs / (state.nowMs + 1) - (nextCall.get(agent) ?? neverAgain);
  },
});

/** Place of each resident agent's next call among those to come; a request in hand is called now. */
function callsAhead(state: SchedulerState): ReadonlyMap<AgentId, number> {
  const places = new Map<AgentId, number>();
  for (const { spec } of state.requests.values()) places.set(spec.agent, 0);
  const missing = new Set(
    kvPool(state)
      .residents(state)
      .map(({ agent }) => agent)
      .filter((agent) => !places.has(agent)),
  );
  for (const [index, agent] of state.announcedCalls.entries()) {
    if (missing.size === 0) break;
    if (missing.delete(agent)) places.set(agent, index + 1);
  }
  return places;
}
