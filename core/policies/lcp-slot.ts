/**
 * llama-server's own rule: a FIFO queue, and for its head the idle slot whose content is most like the prompt, else the slot that
 * was used longest ago. A warm store is its prompt cache in RAM. It never copies from another slot. In a token pool, where there
 * are no slots to choose, it is FIFO with least recently used.
 */
import type { PrefixSource } from "../topas/decision";
import { freeSlots } from "../topas/occupancy";
import { maySpareSlot } from "../topas/pins";
import { kvPool, type Placement } from "../topas/pool";
import { reusableTokens } from "../topas/prefix";
import type { RequestState, SchedulerState, SlotState } from "../topas/state";
import { evictedAgents } from "./candidates";
import { waitedSeconds } from "./fcfs";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

/** Share of the prompt that a slot has to hold (--slot-prompt-similarity). */
const similarityMin = 0.1;
/** A slot of whose content less than this would be kept is first looked for in the prompt cache. */
const keptShareMin = 0.5;
/** Of a copy in the cache at least this share has to be of use. */
const copyShareMin = 0.25;

export const lcpSlot = rankedPolicy({
  name: "lcp-slot",
  order: (state, waiting) => orderBy(waiting, [], (request) => ({ age: waitedSeconds(state, request) })),
  place(state, request, evict) {
    return state.engine.budgetTokens === null ? slotFor(state, request) : kvPool(state).place(state, request, evict);
  },
});

function slotFor(state: SchedulerState, request: RequestState): Placement | null {
  let similar: SlotState | null = null;
  let longestUnused: SlotState | null = null;
  let mostTokens = similarityMin * request.spec.promptTokens.length;
  for (const slot of freeSlots(state)) {
    if (!maySpareSlot(state, slot, request.spec.agent)) continue;
    const tokens = reusableTokens(request, slot.tokens);
    if (tokens > mostTokens) {
      similar = slot;
      mostTokens = tokens;
    }
    if (longestUnused === null || slot.lastUsedAtMs < longestUnused.lastUsedAtMs) longestUnused = slot;
  }
  const slot = similar ?? longestUnused;
  if (slot === null) return null;
  const inPlaceTokens = reusableTokens(request, slot.tokens);
  const looksInCache = similar === null || inPlaceTokens < keptShareMin * slot.tokens.length;
  const source = (looksInCache ? cachedCopy(state, request, slot) : null) ?? inPlace(inPlaceTokens);
  return { slot: slot.slot, source, evicts: evictedAgents(request, slot) };
}

function inPlace(tokens: number): PrefixSource {
  return tokens > 0 ? { kind: "in_place", tokens } : { kind: "prefill", tokens: 0 };
}

/** The copy that saves more of the prompt than the slot does, and of which more is kept. */
function cachedCopy(state: SchedulerState, request: RequestState, slot: SlotState): PrefixSource | null {
  let best: PrefixSource | null = null;
  let most = reusableTokens(request, slot.tokens);
  let keptShare = slot.tokens.length === 0 ? 0 : most / slot.tokens.length;
  for (const stored of state.store.values()) {
    const tokens = reusableTokens(request, stored.tokens);
    const share = tokens / stored.tokens.length;
    if (share < copyShareMin || share <= keptShare || tokens <= most) continue;
    best = { kind: "restore", tokens, entry: stored.entry };
    most = tokens;
    keptShare = share;
  }
  return best;
}
