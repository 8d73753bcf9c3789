/** Keeps an engine running: starts it, notices its end, starts it again with growing pauses, and gives up in the end. */
import {
  EngineLost,
  type EngineObserver,
  type EngineOptions,
  type EnginePort,
  type StartEngine,
} from "../../core/contract/engine";
import { EngineUnavailable } from "./live";
import type { Timers } from "./timers";

export const restartDelaysMs = [200, 1_000, 5_000, 30_000] as const;
/** After so long without a crash the count of attempts starts anew. */
export const healthyAfterMs = 5 * 60_000;
const logLinesMax = 200;

export type EnginePhase =
  | { readonly kind: "none" }
  | { readonly kind: "loading"; readonly fraction: number }
  | { readonly kind: "ready" }
  | {
      readonly kind: "restarting";
      readonly reason: string;
      readonly attempt: number;
      readonly step: "waiting" | "starting" | "loading";
      readonly fraction: number;
    }
  | { readonly kind: "given_up"; readonly reason: string; readonly attempt: number };

export interface EngineSupervisor {
  readonly phase: EnginePhase;
  readonly port: EnginePort | null;
  readonly isStalled: boolean;
  readonly log: readonly string[];
  /** A model is being looked for: who asks for an engine waits instead of being refused. */
  expect(): void;
  /** There will be no model after all. */
  expectNoMore(reason: string): void;
  /** Loads a model in place of the present one. Rejects with the engine's own words if it cannot. */
  load(options: EngineOptions): Promise<EnginePort>;
  /** Frees it; the next `load` starts one again. */
  unload(): Promise<void>;
  /** Waits for a restart under way. Rejects with `EngineUnavailable` when there is nothing to wait for. */
  whenReady(): Promise<EnginePort>;
  /** Somebody else noticed that this engine is gone. */
  reportLost(port: EnginePort, reason: string): void;
  /** Tries again after giving up. */
  retry(): Promise<void>;
  shutdown(): Promise<void>;
}

export interface SupervisorListener {
  ready(port: EnginePort): void;
  lost(reason: string): void;
  givenUp(reason: string): void;
  changed(): void;
}

interface Waiter {
  resolve(port: EnginePort): void;
  reject(error: Error): void;
}

export function superviseEngine(start: StartEngine, timers: Timers, on: SupervisorListener): EngineSupervisor {
  let phase: EnginePhase = { kind: "none" };
  let port: EnginePort | null = null;
  let options: EngineOptions | null = null;
  let isStalled = false;
  let attempts = 0;
  let readySinceMs = 0;
  /** Grows with every load and shutdown: what an older engine still says is not listened to. */
  let generation = 0;
  let waiters: Waiter[] = [];
  const log: string[] = [];

  function enter(next: EnginePhase): void {
    phase = next;
    on.changed();
  }

  function settle(act: (waiter: Waiter) => void): void {
    const settled = waiters;
    waiters = [];
    for (const waiter of settled) act(waiter);
  }

  function observer(of: number): EngineObserver {
    return {
      progress(fraction) {
        if (of !== generation) return;
        if (phase.kind === "loading") enter({ kind: "loading", fraction });
        if (phase.kind === "restarting") enter({ ...phase, step: "loading", fraction });
      },
      log(line) {
        log.push(line);
        if (log.length > logLinesMax) log.shift();
      },
      lost(reason) {
        if (of === generation && port !== null) loseEngine(reason);
      },
      stalled(stalled) {
        if (of !== generation) return;
        isStalled = stalled;
        on.changed();
      },
    };
  }

  async function launch(engineOptions: EngineOptions, of: number): Promise<EnginePort> {
    const started = await start(engineOptions, observer(of));
    if (of !== generation) {
      await started.shutdown();
      throw new EngineUnavailable("Another model was chosen meanwhile.");
    }
    port = started;
    isStalled = false;
    readySinceMs = timers.now();
    phase = { kind: "ready" };
    on.ready(started);
    on.changed();
    settle((waiter) => waiter.resolve(started));
    return started;
  }

  function loseEngine(reason: string): void {
    if (timers.now() - readySinceMs > healthyAfterMs) attempts = 0;
    port = null;
    isStalled = false;
    on.lost(reason);
    scheduleRestart(reason);
  }

  function scheduleRestart(reason: string): void {
    const delayMs = restartDelaysMs[attempts];
    if (delayMs === undefined) {
      enter({ kind: "given_up", reason, attempt: attempts });
      on.givenUp(reason);
      settle((waiter) => waiter.reject(new EngineUnavailable(`The engine could not be started again. ${reason}`)));
      return;
    }
    attempts += 1;
    const of = generation;
    enter({ kind: "restarting", reason, attempt: attempts, step: "waiting", fraction: 0 });
    timers.after(delayMs, () => void restart(reason, of));
  }

  async function restart(reason: string, of: number): Promise<void> {
    if (of !== generation || options === null) return;
    enter({ kind: "restarting", reason, attempt: attempts, step: "starting", fraction: 0 });
    try {
      await launch(options, of);
    } catch (error) {
      if (of === generation) scheduleRestart(error instanceof Error ? error.message : String(error));
    }
  }

  function refuseWaiters(reason: string): void {
    if (phase.kind === "loading") enter({ kind: "none" });
    settle((waiter) => waiter.reject(new EngineUnavailable(reason)));
  }

  async function stop(): Promise<void> {
    generation += 1;
    const stopped = port;
    port = null;
    if (stopped === null) return;
    on.lost("The engine was stopped.");
    await stopped.shutdown();
  }

  return {
    get phase() {
      return phase;
    },
    get port() {
      return port;
    },
    get isStalled() {
      return isStalled;
    },
    log,
    expect() {
      if (phase.kind === "none") enter({ kind: "loading", fraction: 0 });
    },
    expectNoMore: refuseWaiters,
    async load(engineOptions) {
      await stop();
      options = engineOptions;
      attempts = 0;
      enter({ kind: "loading", fraction: 0 });
      try {
        return await launch(engineOptions, generation);
      } catch (error) {
        refuseWaiters(error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
    async unload() {
      await stop();
      if (port === null && phase.kind === "ready") enter({ kind: "none" });
    },
    whenReady() {
      if (port !== null) return Promise.resolve(port);
      if (phase.kind === "none") return Promise.reject(new EngineUnavailable("No model is loaded."));
      if (phase.kind === "given_up") return Promise.reject(new EngineUnavailable(phase.reason));
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
    },
    reportLost(lostPort, reason) {
      if (lostPort === port) loseEngine(reason);
    },
    async retry() {
      if (phase.kind !== "given_up" || options === null) return;
      attempts = 0;
      await restart(phase.reason, generation);
    },
    async shutdown() {
      await stop();
      enter({ kind: "none" });
      settle((waiter) => waiter.reject(new EngineLost("The server is shutting down.")));
    },
  };
}
