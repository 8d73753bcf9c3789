/** Runs jobs in worker threads and shows how far they are. */
import { Worker } from "node:worker_threads";
import type { RunJobs } from "./experiment";
import { createProgress } from "./progress";
import { runJobs } from "./run-jobs";

/** `workerFile` is the built worker. */
export function createRunner(workerFile: string): RunJobs {
  return async (jobs) => {
    const progress = createProgress("runs", process.stderr);
    try {
      return await runJobs(jobs, {
        startWorker: () => new Worker(workerFile),
        onProgress: (done, total) => progress.show(done, total),
      });
    } finally {
      progress.end();
    }
  };
}
