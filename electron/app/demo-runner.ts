/** Starts and stops the demo crew for the window's button and keeps its status; one run at a time. */
import type { EnginePort } from "../../core/contract/engine";
import type { CommandResult } from "../../core/contract/window";
import { runCrew } from "../demo/run-crew";
import type { StatusBoard } from "./app-status";

const tasksOfEach = 3;

export interface DemoTarget {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** The crew may be asked for while the model is still being found or loaded. */
  whenReady(): Promise<EnginePort>;
}

export interface DemoRunner {
  start(target: DemoTarget): CommandResult;
  stop(): CommandResult;
}

export function createDemoRunner(board: StatusBoard): DemoRunner {
  let abort: AbortController | null = null;
  let runs = 0;

  async function run({ baseUrl, apiKey, whenReady }: DemoTarget, controller: AbortController): Promise<void> {
    try {
      const { description } = await whenReady();
      controller.signal.throwIfAborted();
      const tasks = await runCrew({
        baseUrl,
        apiKey,
        model: description.modelId,
        tasksOfEach,
        seed: runs,
        runName: `demo${runs}`,
        signal: controller.signal,
        onProgress(progress) {
          if (progress.kind === "task")
            board.setDemo({ phase: "running", tasksDone: progress.done, tasksTotal: progress.total });
        },
      });
      const meanJctMs = tasks.reduce((sum, task) => sum + task.jctMs, 0) / tasks.length;
      board.setDemo({ phase: "finished", tasksDone: tasks.length, meanJctMs });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      board.setDemo(controller.signal.aborted ? { phase: "idle" } : { phase: "failed", message });
    } finally {
      if (abort === controller) abort = null;
    }
  }

  return {
    start(target) {
      if (abort !== null) return { ok: false, message: "The demo crew is already running." };
      abort = new AbortController();
      runs += 1;
      board.setDemo({ phase: "running", tasksDone: 0, tasksTotal: 2 * tasksOfEach });
      void run(target, abort);
      return { ok: true };
    },
    stop() {
      abort?.abort(new Error("The demo crew was stopped."));
      return { ok: true };
    },
  };
}
