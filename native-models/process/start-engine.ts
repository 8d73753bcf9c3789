/**
 * Starts an engine in a process of its own and gives the port to it. Knows nothing of Electron: whoever calls says how
 * a process is started.
 */
import {
  EngineLost,
  type EngineObserver,
  type EngineOptions,
  type EnginePort,
  ModelRefused,
  type StartEngine,
} from "../../core/contract/engine";
import { EngineClient } from "./engine-client";
import type { SpawnEngineProcess } from "./engine-process";
import { LogTail } from "./log-tail";
import { type FromEngine, readFromEngine } from "./messages";
import { StallWatch } from "./stall-watch";

/** An engine that has been silent for longer hangs, or its process was stopped. */
const STALLED_AFTER_MS = 5000;

export interface StarterOptions {
  readonly stalledAfterMs?: number;
}

export function engineStarter(
  spawn: SpawnEngineProcess,
  { stalledAfterMs = STALLED_AFTER_MS }: StarterOptions = {},
): StartEngine {
  return (options, on) => start(spawn, options, on, stalledAfterMs);
}

function start(
  spawn: SpawnEngineProcess,
  options: EngineOptions,
  on: EngineObserver,
  stalledAfterMs: number,
): Promise<EnginePort> {
  const engineProcess = spawn();
  const log = new LogTail((line) => on.log(line));
  const watch = new StallWatch(stalledAfterMs, (isStalled) => on.stalled?.(isStalled));
  return new Promise((resolve, reject) => {
    let client: EngineClient | null = null;
    const refuse = (error: Error) => {
      reject(error);
      engineProcess.kill();
    };
    const take = (message: FromEngine) => {
      switch (message.kind) {
        case "started":
          engineProcess.send({ kind: "load", options, parentProcessId: process.pid });
          break;
        case "progress":
          on.progress(message.fraction);
          break;
        case "loaded":
          client = new EngineClient(engineProcess, message.description, on);
          resolve(client);
          break;
        case "load_refused":
          refuse(new ModelRefused(message.message, message.whatToDo));
          break;
        case "load_failed":
          refuse(new Error(message.message));
          break;
        default:
          client?.take(message);
      }
    };
    engineProcess.onOutput((text) => log.take(text));
    engineProcess.onMessage((message) => {
      watch.heard();
      try {
        take(readFromEngine(message));
      } catch (error) {
        on.log(`The engine sent something that cannot be understood and is ended: ${(error as Error).message}`);
        engineProcess.kill();
      }
    });
    engineProcess.onExit((how) => {
      watch.stop();
      log.end();
      const reason = lossReason(how, log.lines);
      if (client) client.takeExit(reason);
      else reject(new EngineLost(reason));
    });
  });
}

/** Backtraces follow the line that says why; other lines, from the start-up, would mislead. */
const TELLING = /assert|error|fatal|out of memory|failed|terminate|unhandled|uncaught/i;

function lossReason(how: string, lines: readonly string[]): string {
  const words = lines.findLast((line) => TELLING.test(line));
  return `The engine's process ended (${how}).${words === undefined ? "" : ` Its last words: ${words}`}`;
}
