/**
 * Makes a policy of an order of the waiting requests and an order of what is evicted: the first is admitted once it
 * fits, with what goes first. All baselines are of this form; none lets another pass by while the first has no room.
 */
import type { PolicyName } from "../contract/policy-name";
import type { SchedulerConfig } from "../topas/config";
import { type Candidate, noTerms, scoreOf, type Terms } from "../topas/decision";
import { waitingRequests } from "../topas/occupancy";
import { type EvictionOrder, kvPool, leastRecentlyUsed, type Placement } from "../topas/pool";
import type { RequestState, SchedulerState } from "../topas/state";
import type { Choice, Policy } from "./policy";
import { type WaitOrder, waitsFor } from "./waits";

/** A waiting request with its key in the terms that all policies share; they add up to the score. */
export interface Ranked {
  readonly request: RequestState;
  readonly terms: Partial<Terms>;
  /** Why it goes before those behind it, as it reads after "because". */
  readonly goesFirst: string;
}

export interface RankingRules {
  readonly name: PolicyName;
  /** Best first. */
  order(state: SchedulerState, waiting: RequestState[], config: SchedulerConfig): Ranked[];
  /** What leaves the KV cache first; least recently used where nothing is said. */
  evict?(state: SchedulerState, config: SchedulerConfig): EvictionOrder;
  /** Where it would run; where nothing is said, the pool's own choice with that order. */
  place?(state: SchedulerState, request: RequestState, evict: EvictionOrder): Placement | null;
}

export function rankedPolicy(rules: RankingRules): Policy {
  return {
    name: rules.name,
    choose(state, config) {
      const ranked = rules.order(state, waitingRequests(state), config);
      const evict = rules.evict?.(state, config) ?? leastRecentlyUsed;
      const place = rules.place ?? ((at, request, order) => kvPool(at).place(at, request, order));
      const [first, ...others] = ranked;
      const placement = first === undefined ? null : place(state, first.request, evict);
      if (first === undefined || placement === null) return hold(state, ranked, config);
      return admission(first, others, placement, config);
    },
  };
}

function admission(
  first: Ranked,
  others: readonly Ranked[],
  placement: Placement,
  { candidatesKept }: SchedulerConfig,
): Choice {
  const kept = others.slice(0, Math.max(0, candidatesKept - 1));
  const nowhere = { slot: placement.slot, source: { kind: "prefill", tokens: 0 } as const, evicts: [] };
  const candidates = [candidate(first, placement), ...kept.map((other) => candidate(other, nowhere))];
  const loses = placement.evicts.length === 0 ? "" : `, evicting ${placement.evicts.join(" and ")}`;
  const done = `Admitted ${first.request.label} to slot ${placement.slot}${loses}`;
  const why = others.length === 0 ? "nothing else waits" : first.goesFirst;
  return { candidates, verdict: `${done}: ${why}.`, kept: null, waits: [] };
}

function hold(state: SchedulerState, ranked: readonly Ranked[], { candidatesKept }: SchedulerConfig): Choice {
  const order = ranked.map<WaitOrder>((entry) => ({ ...entry, score: scoreOf({ ...noTerms, ...entry.terms }) }));
  return {
    candidates: [{ action: { kind: "hold" }, terms: noTerms, score: 0 }],
    verdict: "Admitted nobody: nothing that waits has room.",
    kept: null,
    waits: candidatesKept === 0 ? [] : waitsFor(state, order, null),
  };
}

function candidate({ request, terms }: Ranked, placement: Placement): Candidate {
  const { slot, source, evicts } = placement;
  const all = { ...noTerms, ...terms };
  const action = { kind: "admit", requestId: request.spec.requestId, slot, source, evicts } as const;
  return { action, terms: all, score: scoreOf(all) };
}
