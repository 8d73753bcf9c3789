/** Where the first tokens of a prompt could come from. Nothing here changes a slot. */
import type { Token } from "../contract/ids";
import { commonPrefixTokens } from "./common-prefix";
import { copySeconds, prefillSeconds, restoreSeconds } from "./cost";
import type { PrefixSource } from "./decision";
import type { RequestState, SchedulerState, SlotState } from "./state";

/** Tokens of this request a slot could spare it; the last known token is always evaluated, to draw the next from it. */
export function reusableTokens(request: RequestState, held: readonly Token[]): number {
  const { promptTokens } = request.spec;
  const common = commonPrefixTokens(promptTokens, held);
  return request.generated.length > 0 ? common : Math.min(common, promptTokens.length - 1);
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
