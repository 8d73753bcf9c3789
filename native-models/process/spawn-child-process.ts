/** Starts the engine under plain Node, for the headless server, the demo and the tests. */
import { fork } from "node:child_process";
import { ONE_WORKER_THREAD } from "../engine/worker-thread";
import type { EngineProcess, SpawnEngineProcess } from "./engine-process";

const LAST_OUTPUT_WITHIN_MS = 500;

/** `entryPath` is the built engine, out/main/engine.js; `environment` is added to this process's own. */
export function spawnChildProcess(entryPath: string, environment = ONE_WORKER_THREAD): SpawnEngineProcess {
  return (): EngineProcess => {
    const child = fork(entryPath, [], {
      // The owner's own flags (loaders, inspectors) must not reach the engine.
      execArgv: [],
      env: { ...process.env, ...environment },
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    return {
      send: (message) => {
        if (child.connected) child.send(message, () => undefined);
      },
      onMessage: (listener) => child.on("message", listener),
      onOutput: (listener) => {
        for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", listener);
      },
      onExit: (listener) => {
        let isTold = false;
        const tell = (reason: string) => {
          if (!isTold) listener(reason);
          isTold = true;
        };
        const told = (code: number | null, signal: string | null) =>
          tell(signal ? `signal ${signal}` : `exit code ${code}`);
        child.once("error", (error) => tell(`could not be started: ${error.message}`));
        child.once("close", told);
        // A grandchild may hold the pipes open for longer than anybody should wait for last words.
        child.once("exit", (code, signal) => setTimeout(() => told(code, signal), LAST_OUTPUT_WITHIN_MS));
      },
      kill: () => child.kill("SIGKILL"),
    };
  };
}
