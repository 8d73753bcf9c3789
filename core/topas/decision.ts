/** A decision as it is kept for good: every candidate with its terms in seconds, the winner, and why the rest waits. */
import type { AgentId, Milliseconds, RequestId, Seconds, SlotIndex } from "../contract/ids";
import type { PolicyName } from "../contract/policy-name";

/** Where the first tokens of a prompt come from, cheapest first. */
export type PrefixSource =
  | { readonly kind: "in_place"; readonly tokens: number }
  | { readonly kind: "fork"; readonly tokens: number; readonly from: SlotIndex }
  | { readonly kind: "restore"; readonly tokens: number; readonly entry: number }
  | { readonly kind: "prefill"; readonly tokens: 0 };

export type DecisionTrigger =
  | "arrival"
  | "completion"
  | "cancellation"
  | "failure"
  | "engine_ready"
  | "policy"
  | "user"
  | "step";

export type Action =
  | {
      readonly kind: "admit";
      readonly requestId: RequestId;
      readonly slot: SlotIndex;
      readonly source: PrefixSource;
      /** Agents whose warm prefix goes to make room. */
      readonly evicts: readonly AgentId[];
    }
  /** Take the slot from a running request: a better one cannot run otherwise. */
  | { readonly kind: "preempt"; readonly requestId: RequestId; readonly slot: SlotIndex }
  /** Leave the free slots as they are. */
  | { readonly kind: "hold" };

/** Signed contributions to the score; they add up to it. */
export interface Terms {
  /** How much sooner the task can end. */
  readonly progress: Seconds;
  /** What waiting adds to `progress`: (g - 1) * progress. */
  readonly age: Seconds;
  /** What the client's priority class adds to both: (w - 1) * (progress + age). */
  readonly priority: Seconds;
  /** What it adds that its client or lone agent had less of the engine lately than the others that wait, or more. */
  readonly fairness: Seconds;
  /** Minus the time to bring the prefix in, for every task that sits through it. */
  readonly move: Seconds;
  /** What one more sequence in each step costs the tasks beside it, less what the waiting ones gain by it. */
  readonly slow: Seconds;
  /** Change in the value of what stays warm for the stages that come next. */
  readonly reuse: Seconds;
  /** Minus the time to save and rebuild what a preempted request holds, and the progress it was credited with. */
  readonly preempt: Seconds;
}

export const noTerms: Terms = {
  progress: 0,
  age: 0,
  priority: 0,
  fairness: 0,
  move: 0,
  slow: 0,
  reuse: 0,
  preempt: 0,
};

export function scoreOf({ progress, age, priority, fairness, move, slow, reuse, preempt }: Terms): Seconds {
  return progress + age + priority + fairness + move + slow + reuse + preempt;
}

export interface Candidate {
  readonly action: Action;
  readonly terms: Terms;
  readonly score: Seconds;
}

export type WaitCode = "NO_FREE_SLOT" | "HELD_FOR_PREFIX" | "HELD_FOR_SPEED" | "PAUSED" | "ENGINE_RESTARTING";

export interface Wait {
  readonly requestId: RequestId;
  /** 1 = next. */
  readonly place: number;
  readonly code: WaitCode;
  /** The reason in plain words, ending in a full stop. */
  readonly sentence: string;
  readonly score: Seconds;
  /** What could be reused if it were admitted now. */
  readonly reuse: PrefixSource;
}

/** An idle slot that is left as it is although requests wait. */
export interface Kept {
  readonly slot: SlotIndex;
  readonly agent: AgentId;
  /** The task that needs the agent next, as people read it. */
  readonly forWhom: string;
}

export interface Decision {
  readonly number: number;
  readonly atMs: Milliseconds;
  readonly policy: PolicyName;
  readonly trigger: DecisionTrigger;
  /** Best first; the first one won. */
  readonly candidates: readonly Candidate[];
  /** One sentence: what was done and why. */
  readonly verdict: string;
  readonly kept: Kept | null;
  /** Every request left waiting, in the policy's order. Empty unless this decision ends the round. */
  readonly waits: readonly Wait[];
}
