/** Spreads jobs over worker threads. Results come in the order of the jobs, whoever ran them. */
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import type { Job, RunFigures } from "./job";
import type { WorkerAnswer } from "./worker";

export interface WorkerPool {
  startWorker(): Worker;
  /** As many as there are cores, unless a test says otherwise. */
  readonly workers?: number;
  onProgress?(done: number, total: number): void;
}

/** Rejects with the first failure; no worker is left then. */
export async function runJobs(jobs: readonly Job[], pool: WorkerPool): Promise<readonly RunFigures[]> {
  const results: RunFigures[] = [];
  let next = 0;
  let done = 0;
  const count = Math.min(jobs.length, pool.workers ?? availableParallelism());
  const workers = Array.from({ length: count }, () => pool.startWorker());

  async function work(worker: Worker): Promise<void> {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index] as Job;
      const answer = await ask(worker, job);
      if (answer.kind === "failed") throw new Error(`${nameOf(job)}: ${answer.message}`);
      results[index] = answer.figures;
      done += 1;
      pool.onProgress?.(done, jobs.length);
    }
  }

  try {
    await Promise.all(workers.map(work));
    return results;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function ask(worker: Worker, job: Job): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    const clear = () => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    };
    const onMessage = (answer: WorkerAnswer) => {
      clear();
      resolve(answer);
    };
    const onError = (cause: Error) => {
      clear();
      reject(new Error(`${nameOf(job)}: ${cause.message}`));
    };
    const onExit = (code: number) => {
      clear();
      reject(new Error(`${nameOf(job)}: the worker ended with code ${code}.`));
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(job);
  });
}

const nameOf = ({ spec, policy, seed }: Job) => `${spec.name} under ${policy} with seed ${seed}`;
