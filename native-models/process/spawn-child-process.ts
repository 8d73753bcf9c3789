/** Starts the engine under plain Node, for the headless server, the demo and the tests. */
import { fork } from "node:child_process";
import type { EngineProcess, SpawnEngineProcess } from "./engine-process";

/** `entryPath` is the built engine, out/main/engine.js. */
export function spawnChildProcess(entryPath: string): SpawnEngineProcess {
  return (): EngineProcess => {
    const child = fork(entryPath, [], {
      // The owner's own flags (loaders, inspectors) must not reach the engine.
      execArgv: [],
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
        child.once("error", (error) => listener(`could not be started: ${error.message}`));
        child.once("close", (code, signal) => listener(signal ? `signal ${signal}` : `exit code ${code}`));
      },
      kill: () => child.kill("SIGKILL"),
    };
  };
}
