/** A worker thread of the simulator: takes one job after the other. */
import { parentPort } from "node:worker_threads";
import type { Job, RunFigures } from "./job";
import { runJob } from "./run-job";

export type WorkerAnswer =
  | { readonly kind: "figures"; readonly figures: RunFigures }
  | { readonly kind: "failed"; readonly message: string };

parentPort?.on("message", (job: Job) => {
  runJob(job).then(
    (figures) => answer({ kind: "figures", figures }),
    (cause: unknown) => answer({ kind: "failed", message: cause instanceof Error ? cause.message : String(cause) }),
  );
});

function answer(message: WorkerAnswer): void {
  parentPort?.postMessage(message);
}
