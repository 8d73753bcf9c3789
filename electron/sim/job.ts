/** One run of the simulator, as it is handed to a worker, and what comes back. Only data. */
import type { Milliseconds } from "../../core/contract/ids";
import type { PolicyName } from "../../core/contract/policy-name";
import type { MachineProfile } from "../../core/sim/profile/profile";
import type { WorkloadSpec } from "../../core/sim/workload/spec";
import type { SchedulerConfig } from "../../core/topas/config";

export interface Job {
  /** Stages in topological order. */
  readonly spec: WorkloadSpec;
  /** Its pool is the one to run with. */
  readonly profile: MachineProfile;
  /** 0 = no RAM tier. */
  readonly storeTokens: number;
  readonly policy: PolicyName;
  readonly config: SchedulerConfig;
  readonly seed: number;
  readonly tasks: number;
  /** 0 = all tasks are there at once. */
  readonly meanGapMs: Milliseconds;
  readonly journal: string | null;
}

export interface RunFigures {
  /** Of each task, in the order they came. */
  readonly jctMs: readonly Milliseconds[];
  /** From the start to the last answer. */
  readonly makespanMs: Milliseconds;
  readonly requests: number;
  /** Of every admission, so a request that was preempted counts again. */
  readonly promptTokens: number;
  /** Of those, what was in the KV cache. */
  readonly reusedTokens: number;
  /** Of those, what came from the RAM tier. */
  readonly restoredTokens: number;
  /** Prefix tokens that were computed or restored. */
  readonly movedTokens: number;
  readonly preemptions: number;
  readonly decisions: number;
  /** Time the scheduler took for each input that made it decide. */
  readonly decisionMs: readonly Milliseconds[];
}
