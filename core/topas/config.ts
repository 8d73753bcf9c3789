/** Every number the scheduler may be tuned by. Units stand in the names. */
export interface SchedulerConfig {
  /** Requests that may wait; one more is refused with `queue_full`. */
  readonly waitingMax: number;
  /** Prompt tokens evaluated in one batch, all requests together; the bound on how long a cancellation takes. */
  readonly pieceTokensMax: number;
  /** Strength of ageing (rho): g = 1 + rho * ln(1 + waited / ageingHalfMs). */
  readonly ageingStrength: number;
  readonly ageingHalfMs: number;
  /** H once tasks have finished: this share of their mean JCT. */
  readonly ageingJctShare: number;
  /** Share of the saved movement that a warm prefix counts for (beta). */
  readonly reuseShare: number;
  /** Admissions that one plan may contain (K). */
  readonly admissionsMax: number;
  /** What leaving slots as they are costs, in seconds: a hold must be worth more than that, for it may last long. */
  readonly holdCostS: number;
  /** After so long, or so many times the tasks' mean JCT if that is longer, a request is admitted before all others. */
  readonly waitBoundMs: number;
  readonly waitBoundJctShare: number;
  /** Expected answer length while nothing has been learned. */
  readonly priorOutputTokens: number;
  /** Decode steps the engine may do in one batch, without waiting for the scheduler after each. */
  readonly stepsAheadMax: number;
  /** Decide again after so many steps while requests wait beside a free slot: ageing may have turned a hold. */
  readonly decideEverySteps: number;
  /** A task without a declared workflow is over when nothing of it was open for so long. */
  readonly taskIdleMs: number;
  /** Candidates kept of one decision; 0: it is not explained at all. */
  readonly candidatesKept: number;
  /**
   * What a branch of a fan-out gains: the fall of Graham's bound, of the longest path alone, or a share of what the whole group
   * of siblings with one consumer gains. Compared in core/README.md.
   */
  readonly fanOut: "graham" | "longest_path" | "group";
  /** How much sooner tasks with little left go: progress is weighted by (mean remaining / own remaining) to this power. */
  readonly shortTaskShare: number;
  /** What a request of high priority gains, in place of 1; a low one gains 1 / this. */
  readonly priorityWeight: number;
  /** Most that fairness multiplies a gain by; at least 1 / this. */
  readonly fairnessMost: number;
  /** Each term of the score can be switched off. */
  readonly terms: {
    readonly age: boolean;
    readonly priority: boolean;
    readonly fairness: boolean;
    readonly move: boolean;
    readonly slow: boolean;
    readonly reuse: boolean;
    readonly preempt: boolean;
  };
  /** A preemption must gain more than this share of what the request gains that takes the room. */
  readonly preemptBar: number;
}

export const defaultConfig: SchedulerConfig = {
  waitingMax: 512,
  pieceTokensMax: 128,
  ageingStrength: 1,
  ageingHalfMs: 10_000,
  ageingJctShare: 1,
  reuseShare: 1,
  admissionsMax: 16,
  holdCostS: 0.3,
  waitBoundMs: 60_000,
  waitBoundJctShare: 4,
  priorOutputTokens: 128,
  stepsAheadMax: 16,
  decideEverySteps: 16,
  taskIdleMs: 30_000,
  candidatesKept: 16,
  fanOut: "graham",
  shortTaskShare: 1,
  priorityWeight: 4,
  fairnessMost: 4,
  terms: { age: true, priority: true, fairness: true, move: true, slow: true, reuse: true, preempt: false },
  preemptBar: 0.5,
};
