/**
 * Longest prefix match, by SGLang's rules (managers/schedule_policy.py): whoever finds most of its prompt in the KV cache goes
 * first. Nothing ages in it: a request whose prefix is never resident can wait for as long as others match.
 */
import { prefillSeconds } from "../topas/cost";
import { reusableTokens } from "../topas/prefix";
import type { RequestState, SchedulerState } from "../topas/state";
import { waitedSeconds } from "./fcfs";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

/** With more waiting than that, matching costs SGLang too much and it takes them as they came. */
const matchedWaitingMax = 128;
/** Who finds no more than so many tokens resident ... */
const residentTokensFew = 32;
/** ... but shares so many with another that waits, goes last this round: one computes the prefix for all. */
const sharedTokensMin = 32;

export const lpm = rankedPolicy({
  name: "lpm",
  order(state, waiting) {
    if (waiting.length > matchedWaitingMax) {
      return orderBy(waiting, [], (request) => ({ age: waitedSeconds(state, request) }));
    }
    const matched = new Map(waiting.map((request) => [request, residentTokens(state, request)]));
    const followers = sharingWithAnother(state, waiting, matched);
    return orderBy(
      waiting,
      [
        {
          of: (request) => (followers.has(request) ? 1 : 0),
          goesFirst: "the other waits until the prefix they share is computed",
        },
        { of: (request) => -(matched.get(request) ?? 0), goesFirst: "more of its prompt is in the KV cache" },
      ],
      (request) => ({ reuse: prefillSeconds(state.engine.costs, matched.get(request) ?? 0) }),
    );
  },
});

function residentTokens(state: SchedulerState, request: RequestState): number {
  if (state.engine.budgetTokens !== null) {
    const ready = state.prefixes.get(request.spec.agent)?.readyTokens ?? 0;
    return Math.min(ready, request.spec.prefixTokens);
  }
  return Math.max(0, ...state.slots.map((slot) => reusableTokens(request, slot.tokens)));
}

/** All but the first of those that share their beginning. Who was admitted this very moment counts as waiting: it is not computed yet. */
function sharingWithAnother(
  state: SchedulerState,
  waiting: readonly RequestState[],
  matched: ReadonlyMap<RequestState, number>,
): ReadonlySet<RequestState> {
  const beginnings = new Set<string>();
  for (const request of state.requests.values()) {
    if (request.slot !== null && request.admittedAtMs === state.nowMs) beginnings.add(beginningOf(request));
  }
  const followers = new Set<RequestState>();
  for (const request of waiting) {
    if ((matched.get(request) ?? 0) > residentTokensFew) continue;
    if (request.spec.promptTokens.length < sharedTokensMin) continue;
    const beginning = beginningOf(request);
    if (beginnings.has(beginning)) followers.add(request);
    else beginnings.add(beginning);
  }
  return followers;
}

/** Two that share the least number of tokens have it in common. */
function beginningOf(request: RequestState): string {
  return request.spec.promptTokens.slice(0, sharedTokensMin).join(" ");
}
