/**
 * How many tasks a machine finishes each second, first come, first served: what `--rate` is a fraction of. It is measured with
 * a trace of its own and with the scheduler as it comes, so that it does not move with what is compared.
 */
import { type RunJobs, simulatedConfig, type World } from "./experiment";
import type { Job } from "./job";

/** A trace that no measured run uses. */
const capacitySeed = 0;

/**
 * A closed loop: the next task comes as soon as one of 16 is over. Enough to keep the machine busy in every stage, few enough
 * that they are in different ones. With all tasks there at once each stage would run by itself, which is kinder to the cache
 * than any stream of tasks: twice the rate that first come, first served can keep up with.
 */
const capacityTasksInFlight = 16;

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
    tasksInFlight: capacityTasksInFlight,
    journal: null,
  };
}
