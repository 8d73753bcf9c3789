/** The warm store in RAM: copies of what slots and pools had to give up, least recently used out first. */
import type { SlotIndex } from "../contract/ids";
import { commonPrefixTokens } from "./common-prefix";
import type { SchedulerState, StoredSequence } from "./state";

/** Shorter ones are computed again faster than they are moved. */
const tokensMin = 16;

/** Does nothing without a store, or for what it already holds. `keep` = the entry that is about to be restored, if any. */
export function storeSequence(
  state: SchedulerState,
  sequence: Pick<StoredSequence, "agent" | "tokens" | "prefixTokens">,
  slot: SlotIndex | null,
  keep: number | null = null,
): void {
  const { storeTokens } = state.engine;
  const { length } = sequence.tokens;
  if (length < tokensMin || length > storeTokens) return;
  for (const known of state.store.values()) {
    const common = commonPrefixTokens(sequence.tokens, known.tokens);
    if (common === length) return void touchStored(state, known.entry);
    if (common === known.tokens.length && known.entry !== keep) state.store.delete(known.entry);
  }
  if (!makeRoom(state, length, keep)) return;
  state.storeEntries += 1;
  const entry = state.storeEntries;
  state.store.set(entry, { ...sequence, tokens: [...sequence.tokens], entry, lastUsedAtMs: state.nowMs });
  state.pendingOperations.push({ kind: "save", slot, entry, tokens: length });
}

export function touchStored(state: SchedulerState, entry: number): StoredSequence {
  const stored = state.store.get(entry);
  if (stored === undefined) throw new Error(`There is no entry ${entry} in the warm store.`);
  stored.lastUsedAtMs = state.nowMs;
  state.store.delete(entry);
  state.store.set(entry, stored);
  return stored;
}

/** The map is in the order of use. False if what has to stay leaves too little room. */
function makeRoom(state: SchedulerState, length: number, keep: number | null): boolean {
  let used = 0;
  for (const { tokens } of state.store.values()) used += tokens.length;
  for (const { entry, tokens } of state.store.values()) {
    if (used + length <= state.engine.storeTokens) return true;
    if (entry === keep) continue;
    state.store.delete(entry);
    used -= tokens.length;
  }
  return used + length <= state.engine.storeTokens;
}
