/**
 * One workload on one machine under several policies: first its capacity is measured, then every policy gets the same
 * traces. It makes the jobs and reads their figures; running them is for whoever gives `run`.
 */
import type { PolicyName } from "../../core/contract/policy-name";
import type { MachineProfile } from "../../core/sim/profile/profile";
import type { WorkloadSpec } from "../../core/sim/workload/spec";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import type { Job, RunFigures } from "./job";

export interface World {
  /** Stages in topological order. */
  readonly spec: WorkloadSpec;
  /** Its pool is the one to run with. */
  readonly profile: MachineProfile;
  /** 0 = no RAM tier. */
  readonly storeTokens: number;
  readonly tasks: number;
}

/** A row of the table. */
export interface Variant {
  readonly name: string;
  readonly policy: PolicyName;
  readonly config: SchedulerConfig;
}

export type RunJobs = (jobs: readonly Job[]) => Promise<readonly RunFigures[]>;

/**
 * A server refuses what is too much; a simulation that left requests out would compare nothing. Pieces of prompt are longer than
 * live, where a piece is what a cancellation waits for, and nothing is explained: both only make a simulation faster.
 */
export const simulatedConfig: SchedulerConfig = {
  ...defaultConfig,
  waitingMax: 1_000_000,
  pieceTokensMax: 512,
  candidatesKept: 0,
};

export interface Experiment {
  readonly world: World;
  readonly variants: readonly Variant[];
  readonly seeds: readonly number[];
  readonly rate: number;
  readonly capacityPerS: number;
  /** Where the run of the first variant with the first seed is written to. */
  readonly journal: string | null;
}

export interface VariantRuns {
  readonly variant: Variant;
  /** One for each seed, in order. */
  readonly runs: readonly RunFigures[];
}

/** Results in the order of the experiments and their variants. */
export async function runExperiments(
  experiments: readonly Experiment[],
  run: RunJobs,
): Promise<readonly (readonly VariantRuns[])[]> {
  const figures = await run(experiments.flatMap(jobsOf));
  let next = 0;
  return experiments.map(({ variants, seeds }) =>
    variants.map((variant) => {
      const runs = figures.slice(next, next + seeds.length);
      next += seeds.length;
      return { variant, runs };
    }),
  );
}

function jobsOf({ world, variants, seeds, rate, capacityPerS, journal }: Experiment): readonly Job[] {
  const meanGapMs = 1000 / (rate * capacityPerS);
  return variants.flatMap(({ policy, config }, place) =>
    seeds.map((seed, index) => {
      const isFirst = place === 0 && index === 0;
      const isWritten = isFirst && journal !== null;
      const told = isWritten ? { ...config, candidatesKept: defaultConfig.candidatesKept } : config;
      return { ...world, policy, config: told, seed, meanGapMs, journal: isWritten ? journal : null };
    }),
  );
}
