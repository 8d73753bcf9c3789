/**
 * One budget for all, as the paper has it: `sum l(a) over resident prefixes + sum d(r) over running requests <= B`. A
 * request's demand is reserved up to its output limit, so that nothing runs out of room on the way.
 */
import type { AgentId } from "../contract/ids";
import { prefillSeconds, restoreSeconds } from "./cost";
import type { PrefixSource } from "./decision";
import { freeSlots } from "./occupancy";
import { pinsYield } from "./pins";
import type { EvictionOrder, KvPool, Resident } from "./pool";
import { reusableTokens } from "./prefix";
import { outputLimit } from "./service";
import type { RequestState, SchedulerState } from "./state";

/** d(r): tokens of its own, generated ones and those to come included. */
export function demandTokens(state: SchedulerState, request: RequestState): number {
  const { promptTokens, prefixTokens } = request.spec;
  return promptTokens.length - prefixTokens + outputLimit(state, request);
}

export function freeBudget(state: SchedulerState): number {
  let used = 0;
  for (const prefix of state.prefixes.values()) used += prefix.tokens.length;
  for (const request of state.requests.values()) if (request.slot !== null) used += demandTokens(state, request);
  return (state.engine.budgetTokens ?? 0) - used;
}

export const tokenPool: KvPool = {
  hasRoom(state) {
    const idle = tokenPool.residents(state).reduce((sum, { tokens }) => sum + tokens, 0);
    return freeSlots(state).length > 0 && freeBudget(state) + idle > 0;
  },
  residents(state) {
    const running = runningAgents(state);
    return [...state.prefixes.values()].filter(({ agent }) => !running.has(agent)).map(residentOf);
  },
  place(state, request, order) {
    const slot = freeSlots(state)[0];
    if (slot === undefined) return null;
    const { agent, prefixTokens } = request.spec;
    const isResident = state.prefixes.has(agent);
    const missing = demandTokens(state, request) + (isResident ? 0 : prefixTokens) - freeBudget(state);
    const evicts = missing <= 0 ? [] : victims(state, agent, missing, order);
    return evicts && { slot: slot.slot, source: sourceOf(state, request, isResident), evicts };
  },
};

function runningAgents(state: SchedulerState): ReadonlySet<AgentId> {
  const agents = new Set<AgentId>();
  for (const { spec, slot } of state.requests.values()) if (slot !== null) agents.add(spec.agent);
  return agents;
}

function residentOf(prefix: { agent: AgentId; tokens: readonly number[]; lastUsedAtMs: number }): Resident {
  const { agent, tokens, lastUsedAtMs } = prefix;
  return { agent, slot: null, tokens: tokens.length, prefixTokens: tokens.length, lastUsedAtMs };
}

/** Null if all that may go is not enough. */
function victims(state: SchedulerState, own: AgentId, missing: number, order: EvictionOrder): AgentId[] | null {
  const ranked = tokenPool
    .residents(state)
    .map((resident) => ({ resident, value: resident.agent === own ? null : evictionValue(state, resident, order) }))
    .filter((entry): entry is { resident: Resident; value: number } => entry.value !== null)
    .sort((a, b) => a.value - b.value);
  const evicts: AgentId[] = [];
  let left = missing;
  for (const { resident } of ranked) {
    if (left <= 0) break;
    evicts.push(resident.agent);
    left -= resident.tokens;
  }
  return left <= 0 ? evicts : null;
}

/** What is pinned goes after all else, and only where nothing else can ever go on. */
function evictionValue(state: SchedulerState, resident: Resident, order: EvictionOrder): number | null {
  if (!state.pinned.has(resident.agent)) return order(resident);
  return pinsYield(state) ? Number.MAX_VALUE : null;
}

/** The shared prefix where it is; from the warm store only what is moved faster than computed. */
function sourceOf(state: SchedulerState, request: RequestState, isResident: boolean): PrefixSource {
  const { prefixTokens, promptTokens } = request.spec;
  const { costs } = state.engine;
  let best: PrefixSource = isResident
    ? { kind: "in_place", tokens: Math.min(prefixTokens, promptTokens.length - 1) }
    : { kind: "prefill", tokens: 0 };
  for (const stored of state.store.values()) {
    const tokens = reusableTokens(request, stored.tokens);
    const saved = prefillSeconds(costs, tokens - best.tokens) - restoreSeconds(costs, stored.tokens.length);
    if (saved > 0) best = { kind: "restore", tokens, entry: stored.entry };
  }
  return best;
}
