import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { builtinProfiles } from "../../core/sim/profile/builtin-profiles";
import { builtinWorkloads } from "../../core/sim/workload/builtin/builtin-workloads";
import { measureCapacities } from "../../electron/sim/capacity";
import { type RunJobs, runExperiments, simulatedConfig, type World } from "../../electron/sim/experiment";
import type { Job, RunFigures } from "../../electron/sim/job";
import { runJob } from "../../electron/sim/run-job";
import { runJobs } from "../../electron/sim/run-jobs";

/** From its source, so that it is the code under test whatever was built last. */
function startWorker(): Worker {
  const file = new URL("../../electron/sim/worker.ts", import.meta.url).href;
  const start = `import("tsx/esm/api").then(({ register }) => (register(), import(${JSON.stringify(file)})));`;
  return new Worker(start, { eval: true, execArgv: [] });
}

function inThreads(workers: number): RunJobs {
  return (jobs) => runJobs(jobs, { workers, startWorker });
}

const inThisThread: RunJobs = (jobs) => Promise.all(jobs.map(runJob));

const worlds: readonly World[] = ["chain-3", "map-reduce"].map((name) => {
  const spec = builtinWorkloads.find((one) => one.name === name);
  const profile = builtinProfiles.find((one) => one.name === "a100");
  if (spec === undefined || profile === undefined) throw new Error(`There is no ${name} or no a100.`);
  return { spec, profile, storeTokens: 0, tasks: 4 };
});

const job: Job = {
  ...(worlds[0] as World),
  policy: "fcfs",
  config: simulatedConfig,
  seed: 1,
  meanGapMs: 5000,
  journal: null,
};

const timeless = ({ decisionMs, ...figures }: RunFigures) => ({ ...figures, timed: decisionMs.length });

describe("simulations in worker threads", () => {
  it("give the same capacity and the same figures, however many there are", async () => {
    const runs = await Promise.all(
      [inThisThread, inThreads(2)].map(async (run) => {
        const capacities = await measureCapacities(worlds, run);
        const variants = (["fcfs", "topas"] as const).map((policy) => ({
          name: policy,
          policy,
          config: simulatedConfig,
        }));
        const experiments = worlds.map((world, index) => {
          return { world, variants, seeds: [1, 2], rate: 0.9, capacityPerS: capacities[index] ?? 0, journal: null };
        });
        const results = await runExperiments(experiments, run);
        return { capacities, results: results.flat().map(({ variant, runs }) => [variant.name, runs.map(timeless)]) };
      }),
    );
    expect(runs[0]?.capacities.every((perS) => perS > 0)).toBe(true);
    expect(runs[1]).toEqual(runs[0]);
  });

  it("say which run failed and leave no thread behind", async () => {
    const started: Worker[] = [];
    const startAndNote = () => {
      const worker = startWorker();
      started.push(worker);
      return worker;
    };
    const tooSmall = { ...job.profile, pool: { kind: "tokens", budgetTokens: 1000 } as const };
    await expect(
      runJobs([job, { ...job, profile: tooSmall, seed: 2 }], { workers: 2, startWorker: startAndNote }),
    ).rejects.toThrow("chain-3 under fcfs with seed 2: Request chain-3/1/stage-1 was refused");
    expect(started.map(({ threadId }) => threadId)).toEqual([-1, -1]);
  });
});
