/** Everything there is to say about one decision, as plain data: what the inspector draws and the API answers. */
import type { AgentId, Milliseconds, RequestId, SlotIndex, TaskId } from "../contract/ids";
import type { PolicyName } from "../contract/policy-name";
import type { DecisionTrigger, Kept, PrefixSource, Terms } from "../topas/decision";

/** What was done, as the window and its lanes name it. `full`: there was no room, so nothing could be chosen. */
export type InspectedKind = "admit" | "evict" | "keep" | "hold" | "park" | "full";

/** Whole multiples of `Inspection.unitMs`; they add up to the score exactly. */
export type TermsMs = Readonly<Record<keyof Terms, Milliseconds>>;

export interface InspectedCandidate {
  /** 1 = won. */
  readonly place: number;
  readonly action: "admit" | "park" | "hold";
  /** e.g. "coder#2 to slot 3, evict writer" */
  readonly words: string;
  /** Null for a hold. */
  readonly requestId: RequestId | null;
  readonly label: string | null;
  readonly agent: AgentId | null;
  readonly slot: SlotIndex | null;
  readonly source: PrefixSource | null;
  readonly evicts: readonly AgentId[];
  readonly termsMs: TermsMs;
  readonly scoreMs: Milliseconds;
}

export interface TermDifference {
  readonly term: keyof Terms;
  /** Winner minus runner-up. */
  readonly ms: Milliseconds;
}

export interface WhatDecided {
  /** `rank`: the policy orders by a key and adds nothing up. `user`: an act of the user. `alone`: there was no other choice. */
  readonly kind: "term" | "rank" | "user" | "alone";
  readonly term: keyof Terms | null;
  readonly sentence: string;
  /** Largest for the winner first; they add up to the margin. Empty unless a term decided. */
  readonly differences: readonly TermDifference[];
}

/** What another policy does in the very same state. */
export interface OtherChoice {
  readonly policy: PolicyName;
  readonly isSame: boolean;
  readonly words: string;
  readonly requestId: RequestId | null;
}

export type ChangeKind =
  | "older"
  | "prefix_resident"
  | "prefix_gone"
  | "shorter_answer"
  | "more_room"
  | "term_off"
  | "stage_farther"
  | "workflow_ends"
  | "no_act";

/** One thing changed, and the planner, asked again, chose the target. */
export interface Flip {
  readonly change: ChangeKind;
  /** Reads after "coder#2 would have won if". */
  readonly sentence: string;
  /** The value that was changed, before and after, where it is a number. */
  readonly from: number | null;
  readonly to: number | null;
  /** The term that moved most by it, of the target or of the one that had won; null where neither was scored both times. */
  readonly moved: {
    readonly whose: string;
    readonly term: keyof Terms;
    readonly fromMs: Milliseconds;
    readonly toMs: Milliseconds;
  } | null;
}

export interface Flips {
  /** Who would have won: the runner-up, the first of those that wait, or nobody at all. Null if there was no other way. */
  readonly target: string | null;
  readonly targetRequestId: RequestId | null;
  readonly list: readonly Flip[];
  /** Changes that were tried, with or without success. */
  readonly tried: readonly ChangeKind[];
  /** How often the planner was asked. */
  readonly asked: number;
}

/** What was expected at the decision beside what came of it. */
export interface Expectation {
  readonly what: string;
  readonly unit: "ms" | "tokens";
  readonly predicted: number;
  /** Null while it has not happened, and if it never will. */
  readonly happened: number | null;
  readonly state: "happened" | "open" | "never";
}

export interface Eviction {
  readonly agent: AgentId;
  readonly slot: SlotIndex | null;
  readonly tokens: number;
  /** Time to compute it again. */
  readonly againMs: Milliseconds;
  readonly sentence: string;
}

export interface Inspection {
  readonly decision: number;
  readonly atMs: Milliseconds;
  readonly policy: PolicyName;
  readonly trigger: DecisionTrigger;
  /** Reads after the time: "because a request arrived". */
  readonly cause: string;
  readonly kind: InspectedKind;
  readonly verdict: string;
  readonly kept: Kept | null;
  /** Task of the request that was admitted or parked. */
  readonly taskId: TaskId | null;
  /** What all figures of terms and scores are multiples of: 1, or less where a margin would round to zero. */
  readonly unitMs: number;
  /** Best first. */
  readonly candidates: readonly InspectedCandidate[];
  /** Winner minus runner-up; null without a runner-up. */
  readonly marginMs: Milliseconds | null;
  readonly decided: WhatDecided;
  readonly others: readonly OtherChoice[];
  readonly flips: Flips;
  readonly evictions: readonly Eviction[];
  readonly expectations: readonly Expectation[];
}

/** The answer to "inspect decision n". Decisions are kept within limits, so old ones are forgotten. */
export type InspectionResult =
  | { readonly kind: "found"; readonly inspection: Inspection }
  | { readonly kind: "forgotten"; readonly firstKept: number; readonly lastKept: number }
  | { readonly kind: "not_made"; readonly decisions: number }
  | { readonly kind: "failed"; readonly message: string };
