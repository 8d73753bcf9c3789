/** What the command says of one experiment: one row for each policy, means over the seeds. It is what `--json` writes. */
import type { PoolSpec } from "../../core/sim/profile/profile";
import type { Experiment, VariantRuns } from "./experiment";
import { confidence, mean, quantile } from "./statistics";

export interface PolicyRow {
  readonly policy: string;
  readonly meanJctS: number;
  /** Half the width of the 95 % confidence interval over the seeds; null with one seed. */
  readonly meanJctCiS: number | null;
  readonly p99JctS: number;
  readonly p99JctCiS: number | null;
  /** Mean JCT of the last third of the tasks over that of the first: well above 1 where a policy does not keep up. */
  readonly jctGrowth: number;
  /** Tasks. */
  readonly throughputPerS: number;
  /** Prompt tokens that were in the KV cache, of all prompt tokens. */
  readonly hitRate: number;
  readonly restoredRate: number;
  /** In one run, mean over the seeds, as are the preemptions. */
  readonly movedTokens: number;
  readonly preemptions: number;
  readonly decisions: number;
  readonly decisionMsMean: number | null;
  readonly decisionMsP99: number | null;
}

export interface Report {
  readonly workload: string;
  readonly profile: string;
  readonly pool: PoolSpec & { readonly ramTierTokens: number };
  readonly rate: number;
  readonly seeds: number;
  readonly tasks: number;
  readonly capacityPerS: number;
  /** Tasks that come. */
  readonly arrivalsPerS: number;
  readonly policies: readonly PolicyRow[];
}

export function reportOf(experiment: Experiment, variants: readonly VariantRuns[]): Report {
  const { world, seeds, rate, capacityPerS } = experiment;
  return {
    workload: world.spec.name,
    profile: world.profile.name,
    pool: { ...world.profile.pool, ramTierTokens: world.storeTokens },
    rate,
    seeds: seeds.length,
    tasks: world.tasks,
    capacityPerS,
    arrivalsPerS: rate * capacityPerS,
    policies: variants.map(rowOf),
  };
}

export function rowOf({ variant, runs }: VariantRuns): PolicyRow {
  const meanJctS = runs.map(({ jctMs }) => mean(jctMs) / 1000);
  const p99JctS = runs.map(({ jctMs }) => quantile(jctMs, 0.99) / 1000);
  const sum = (of: (run: VariantRuns["runs"][number]) => number) => runs.reduce((total, run) => total + of(run), 0);
  const promptTokens = sum((run) => run.promptTokens);
  const decisionMs = runs.flatMap((run) => run.decisionMs);
  return {
    policy: variant.name,
    meanJctS: mean(meanJctS),
    meanJctCiS: confidence(meanJctS),
    p99JctS: mean(p99JctS),
    p99JctCiS: confidence(p99JctS),
    jctGrowth: mean(runs.map(({ jctMs }) => growth(jctMs))),
    throughputPerS: mean(runs.map(({ jctMs, makespanMs }) => (1000 * jctMs.length) / makespanMs)),
    hitRate: sum((run) => run.reusedTokens) / promptTokens,
    restoredRate: sum((run) => run.restoredTokens) / promptTokens,
    movedTokens: sum((run) => run.movedTokens) / runs.length,
    preemptions: sum((run) => run.preemptions) / runs.length,
    decisions: sum((run) => run.decisions) / runs.length,
    decisionMsMean: decisionMs.length > 0 ? mean(decisionMs) : null,
    decisionMsP99: decisionMs.length > 0 ? quantile(decisionMs, 0.99) : null,
  };
}

function growth(jctMs: readonly number[]): number {
  const third = Math.ceil(jctMs.length / 3);
  return mean(jctMs.slice(-third)) / mean(jctMs.slice(0, third));
}
