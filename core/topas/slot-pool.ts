/** N sequences of C tokens each, as llama.cpp gives them: a prefix is copied into a slot, a request takes one slot. */
import { freeSlots } from "./occupancy";
import { maySpareSlot } from "./pins";
import type { EvictionOrder, KvPool, Placement, Resident } from "./pool";
import { bestSource } from "./prefix";
import type { RequestState, SchedulerState, SlotState } from "./state";

export const slotPool: KvPool = {
  hasRoom: (state) => freeSlots(state).length > 0,
  residents: (state) => freeSlots(state).flatMap((slot) => residentIn(slot) ?? []),
  place(state, request, order) {
    let best: Ranked | null = null;
    for (const slot of freeSlots(state)) {
      if (!maySpareSlot(state, slot, request.spec.agent)) continue;
      const ranked = rank(state, request, slot, order);
      if (ranked !== null && (best === null || isBetter(ranked.key, best.key))) best = ranked;
    }
    return best;
  },
};

function residentIn({ slot, agent, tokens, prefixTokens, lastUsedAtMs }: SlotState): Resident | null {
  return agent === null || tokens.length === 0
    ? null
    : { agent, slot, tokens: tokens.length, prefixTokens: Math.min(prefixTokens, tokens.length), lastUsedAtMs };
}

interface Ranked extends Placement {
  readonly key: readonly number[];
}

/** A few tokens that all prompts of a chat template share are no reason to choose a slot. */
const reuseTokensMin = 32;

/** Most tokens at hand; in place before moved; an empty slot before one that loses something; then the order. */
function rank(state: SchedulerState, request: RequestState, slot: SlotState, order: EvictionOrder): Ranked | null {
  const source = bestSource(state, request, slot);
  const resident = residentIn(slot);
  const inPlace = source.kind === "in_place" ? 1 : 0;
  const evicted = resident !== null && resident.agent !== request.spec.agent ? resident.agent : null;
  const value = resident === null ? Number.NEGATIVE_INFINITY : order(resident);
  if (value === null && (inPlace === 0 || evicted !== null)) return null;
  return {
    slot: slot.slot,
    source,
    evicts: evicted === null ? [] : [evicted],
    key: [
      source.tokens >= reuseTokensMin ? source.tokens : 0,
      source.tokens >= reuseTokensMin ? inPlace : 0,
      resident === null ? 1 : 0,
      evicted === null ? 1 : 0,
      -(value ?? 0),
    ],
  };
}

function isBetter(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}
