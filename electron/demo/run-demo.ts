/** One run of the crews on a running server, with what the server counted of it. */
import type { PolicyName } from "../../core/contract/policy-name";
import type { App } from "../app/create-app";
import { runCrew, type TaskResult } from "./run-crew";

export interface DemoRun {
  readonly policy: PolicyName;
  readonly tasks: readonly TaskResult[];
  readonly meanJctMs: number;
  readonly p99JctMs: number;
  readonly promptTokens: number;
  readonly computedTokens: number;
  /** Reused in place. */
  readonly reusedTokens: number;
  readonly forkedTokens: number;
  readonly decisions: number;
  readonly decisionMsP50: number;
  readonly decisionMsP99: number;
  readonly failedRequests: number;
}

export interface DemoOptions {
  readonly policy: PolicyName;
  readonly tasksOfEach: number;
  readonly seed: number;
  readonly apiKey: string | null;
}

export async function runDemo(app: App, { policy, tasksOfEach, seed, apiKey }: DemoOptions): Promise<DemoRun> {
  const { url } = app.status;
  const engine = app.live.engine;
  if (url === null || engine === null) throw new Error("The server is not running.");
  const tasks = await runCrew({
    baseUrl: url,
    apiKey,
    model: engine.modelId,
    tasksOfEach,
    seed,
    runName: policy,
    onProgress(progress) {
      if (progress.kind === "task") {
        const { task, jctMs } = progress.task;
        console.log(`  ${task} done in ${(jctMs / 1000).toFixed(1)} s (${progress.done} of ${progress.total})`);
      } else {
        console.log(`    ${progress.task}: ${progress.agent} answered after ${progress.seconds.toFixed(1)} s`);
      }
    },
  });
  const jctMs = tasks.map((task) => task.jctMs).sort((a, b) => a - b);
  const decisionMs = [...app.live.driver.decisionMs].sort((a, b) => a - b);
  const { promptTokens, computedTokens, reusedTokens, forkedTokens, decisions } = app.snapshot().totals;
  return {
    policy,
    tasks,
    meanJctMs: jctMs.reduce((sum, ms) => sum + ms, 0) / jctMs.length,
    p99JctMs: quantile(jctMs, 0.99),
    promptTokens,
    computedTokens,
    reusedTokens,
    forkedTokens,
    decisions,
    decisionMsP50: quantile(decisionMs, 0.5),
    decisionMsP99: quantile(decisionMs, 0.99),
    failedRequests: tasks.reduce((sum, task) => sum + task.failedRequests, 0),
  };
}

/** Of sorted values; the nearest one at or above the rank. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
