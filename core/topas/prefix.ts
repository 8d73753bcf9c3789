/** Where the first tokens of a prompt could come from. Nothing here changes a slot. */
import type { Token } from "../contract/ids";
import { commonPrefixTokens } from "./common-prefix";
import { copySeconds, prefillSeconds, restoreSeconds } from "./cost";
import type { PrefixSource } from "./decision";
import type { RequestState, SchedulerState, SlotState } from "./state";

/**
 * Tokens of this request a slot could spare it; the last known token is always evaluated, to draw the next from it.
 *   known:  [ prompt .............. | generated ... | last ]
 *   held:   [ the same ...................... | something else ]
 */
export function reusableTokens({ spec, generated }: RequestState, held: readonly Token[]): number {
  const { promptTokens } = spec;
  let length = commonPrefixTokens(promptTokens, held);
  const end = Math.min(held.length, promptTokens.length + generated.length - 1);
  if (length < promptTokens.length) return Math.min(length, end);
  while (length < end && held[length] === generated[length - promptTokens.length]) length += 1;
  return Math.min(length, end);
}

/** The cheapest source for a request that is to run in `slot`: what is moved must save more than its move costs. */
export function bestSource(state: SchedulerState, request: RequestState, slot: SlotState): PrefixSource {
  const { costs } = state.engine;
  const inPlace = reusableTokens(request, slot.tokens);
  let best: PrefixSource = inPlace > 0 ? { kind: "in_place", tokens: inPlace } : { kind: "prefill", tokens: 0 };
  let bestSaved = prefillSeconds(costs, inPlace);
  const consider = (source: PrefixSource, moveSeconds: number) => {
    const saved = prefillSeconds(costs, source.tokens) - moveSeconds;
    if (saved <= bestSaved) return;
    best = source;
    bestSaved = saved;
  };
  for (const other of state.slots) {
    if (other.slot === slot.slot) continue;
    const tokens = reusableTokens(request, other.tokens);
    if (tokens > 0) consider({ kind: "fork", tokens, from: other.slot }, copySeconds(costs));
  }
  for (const stored of state.store.values()) {
    const tokens = reusableTokens(request, stored.tokens);
    const moveSeconds = restoreSeconds(costs, stored.tokens.length);
    if (tokens > 0) consider({ kind: "restore", tokens, entry: stored.entry }, moveSeconds);
  }
  return best;
}
