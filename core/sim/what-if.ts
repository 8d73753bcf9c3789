/** Answers what a recorded run would have been in the simulator, under the recorded policy or another one. */
import type { CostProfile } from "../contract/engine";
import type { Milliseconds, TaskId } from "../contract/ids";
import type { PolicyName } from "../contract/policy-name";
import { offlinePolicies } from "../policies/policies";
import type { SchedulerConfig } from "../topas/config";
import { emptyState } from "../topas/empty-state";
import type { RecordedRun } from "./recorded-run";
import { isEnd, recordedWorkload } from "./recorded-workload";
import { simulate } from "./simulate";
import { TaskTimes } from "./task-times";

export interface WhatIf {
  readonly run: RecordedRun;
  /** Absent: what the recorded engine was calibrated to. */
  readonly costs?: CostProfile;
  readonly config: SchedulerConfig;
  readonly policy: PolicyName;
  /** The policy may change while it runs, as it did. */
  readonly keepsPolicyChanges: boolean;
}

/** Null for a recording in which no engine was ever ready. */
export function whatIf({
  run,
  config,
  policy,
  keepsPolicyChanges,
  costs: given,
}: WhatIf): ReadonlyMap<TaskId, Milliseconds> | null {
  if (run.engine === null) return null;
  const { slots, slotTokens, budgetTokens = null, storeTokens = 0, costs, atMs } = run.engine;
  const times = new TaskTimes();
  let open = run.requests.size;
  simulate({
    state: emptyState(policy),
    config: { ...config, waitingMax: Number.MAX_SAFE_INTEGER }, // what was refused is not in the record
    engine: { slots, slotTokens, budgetTokens, storeTokens, costs: given ?? costs },
    readyAtMs: atMs,
    workload: recordedWorkload(run, { keepsPolicyChanges, announcesCalls: offlinePolicies.includes(policy) }),
    watch(_, events) {
      for (const event of events) {
        times.take(event);
        if (isEnd(event)) open -= 1;
      }
    },
  });
  if (open !== 0) throw new Error(`${open} requests of the record never ended in the simulation under ${policy}.`);
  return times.jctMs();
}
