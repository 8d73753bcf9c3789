/**
 * How many tasks a machine finishes each second when all of them are there at once, first come, first served: what `--rate` is a
 * fraction of. Each stage then runs almost by itself, which is kinder to the cache than any stream of tasks: it is what the
 * machine can do, more than first come, first served can keep up with. Measured with a trace of its own and with the scheduler as
 * it comes, so that it does not move with what is compared.
 */
import { type RunJobs, simulatedConfig, type World } from "./experiment";
import type { Job } from "./job";

/** A trace that no measured run uses. */
const capacitySeed = 0;

/** Tasks a second, one for each world. */
export async function measureCapacities(worlds: readonly World[], run: RunJobs): Promise<readonly number[]> {
  const figures = await run(worlds.map(capacityJob));
  return figures.map(({ jctMs, makespanMs }) => (1000 * jctMs.length) / makespanMs);
}

function capacityJob(world: World): Job {
  return {
    ...world,
    policy: "fcfs",
    config: simulatedConfig,
    seed: capacitySeed,
    meanGapMs: 0,
    journal: null,
  };
}
