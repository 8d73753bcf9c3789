/** The recorded run beside its simulation under the recorded policy, which says how far the simulator is off, and under another. */

import type { Milliseconds, TaskId } from "../../../core/contract/ids";
import type { PolicyName } from "../../../core/contract/policy-name";
import { fitCosts } from "../../../core/sim/profile/fit";
import { whatIf } from "../../../core/sim/what-if";
import type { CheckedJournal } from "../journal/check-journal";
import { mean, quantile } from "../statistics";

export interface JctFigures {
  readonly policy: PolicyName;
  readonly meanJctS: number;
  readonly p99JctS: number;
}

/** Fractions; 0.1 = a tenth longer. */
interface Change {
  readonly meanChange: number;
  readonly p99Change: number;
}

export interface PolicyComparison {
  /** Tasks that were over when the record ended. */
  readonly tasks: number;
  /** The simulated engine is never lost. */
  readonly engineLosses: number;
  /** The simulated engine's costs: those the recorded one was calibrated to, or those fitted to this journal. */
  readonly costs: "calibrated" | "fitted";
  readonly recorded: JctFigures;
  /** Its changes are the simulator's errors. */
  readonly simulated: JctFigures & Change;
  /** Its changes are against `simulated`, so that the simulator's errors cancel out. */
  readonly other: JctFigures & Change;
}

/** Null for a record in which no task was over. */
export function comparePolicies(
  journal: CheckedJournal,
  policy: PolicyName,
  costs: PolicyComparison["costs"],
): PolicyComparison | null {
  const recordedMs = journal.times.jctMs();
  const { engine } = journal.run;
  if (engine === null) return null;
  const given = costs === "fitted" ? { costs: fitCosts(journal.steps.samples, engine.costs).costs } : {};
  const shared = { run: journal.run, config: journal.config, ...given };
  const sameMs = whatIf({ ...shared, policy: journal.policy, keepsPolicyChanges: true });
  const otherMs = whatIf({ ...shared, policy, keepsPolicyChanges: false });
  if (recordedMs.size === 0 || sameMs === null || otherMs === null) return null;
  const figuresOf = (name: PolicyName, jctMs: ReadonlyMap<TaskId, Milliseconds>): JctFigures => {
    const ofRecorded = [...recordedMs.keys()].map((taskId) => (jctMs.get(taskId) ?? Number.NaN) / 1000);
    return { policy: name, meanJctS: mean(ofRecorded), p99JctS: quantile(ofRecorded, 0.99) };
  };
  const recorded = figuresOf(journal.policy, recordedMs);
  const simulated = figuresOf(journal.policy, sameMs);
  const other = figuresOf(policy, otherMs);
  return {
    tasks: recordedMs.size,
    engineLosses: journal.run.engineLosses,
    costs,
    recorded,
    simulated: { ...simulated, ...change(simulated, recorded) },
    other: { ...other, ...change(other, simulated) },
  };
}

function change(figures: JctFigures, against: JctFigures): Change {
  return {
    meanChange: figures.meanJctS / against.meanJctS - 1,
    p99Change: figures.p99JctS / against.p99JctS - 1,
  };
}
