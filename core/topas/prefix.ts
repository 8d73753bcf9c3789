/** Where the first tokens of a prompt could come from. Nothing here changes a slot. */
import type { Token } from "../contract/ids";
import type { PrefixSource } from "./decision";
import type { RequestState, SchedulerState, SlotState } from "./state";

/**
 * How far a prompt and what a slot holds agree, remembered per pair. A slot's array only ever grows or is replaced,
 * so a comparison that met a difference is final and one that ran out of tokens goes on where it stopped.
 */
const agreed = new WeakMap<readonly Token[], WeakMap<readonly Token[], number>>();

export function commonPrefixTokens(prompt: readonly Token[], held: readonly Token[]): number {
  const ofHeld = agreed.get(held) ?? new WeakMap<readonly Token[], number>();
  agreed.set(held, ofHeld);
  let length = ofHeld.get(prompt) ?? 0;
  const end = Math.min(prompt.length, held.length);
  while (length < end && prompt[length] === held[length]) length += 1;
  ofHeld.set(prompt, length);
  return length;
}

/** Tokens of this request a slot could spare it; the last known token is always evaluated, to draw the next from it. */
export function reusableTokens(request: RequestState, held: readonly Token[]): number {
  const { promptTokens } = request.spec;
  const common = commonPrefixTokens(promptTokens, held);
  return request.generated.length > 0 ? common : Math.min(common, promptTokens.length - 1);
}

/** The cheapest source for a request that is to run in `slot`: a fork must save more tokens than its copy costs. */
export function bestSource(state: SchedulerState, request: RequestState, slot: SlotState): PrefixSource {
  const inPlace = reusableTokens(request, slot.tokens);
  const { costs } = state.engine;
  const copyWorthTokens = Math.ceil(costs.copyMs / costs.prefillMsPerToken);
  let best: PrefixSource = inPlace > 0 ? { kind: "in_place", tokens: inPlace } : { kind: "prefill", tokens: 0 };
  for (const other of state.slots) {
    if (other.slot === slot.slot) continue;
    const tokens = reusableTokens(request, other.tokens);
    const margin = best.kind === "fork" ? 0 : copyWorthTokens;
    if (tokens > best.tokens + margin) best = { kind: "fork", tokens, from: other.slot };
  }
  return best;
}
