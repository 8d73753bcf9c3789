/**
 * Starts the engine as an Electron utility process, so that a native crash takes neither the window nor the server along.
 * It carries messages and must never look into them.
 */
import { constants } from "node:os";
import { type UtilityProcess, utilityProcess } from "electron";

/** After an exit the pipes are nearly always at their end; a child of the engine must not hold up the news. */
const LAST_OUTPUT_WITHIN_MS = 500;

/** The engine's process as its owner wants it (native-models/process/engine-process.ts). */
export interface UtilityEngine {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onOutput(listener: (text: string) => void): void;
  onExit(listener: (reason: string) => void): void;
  kill(): void;
}

/** `entryPath` is the built engine, out/main/engine.js; `environment` is added to this process's own. */
export function spawnUtilityEngine(
  entryPath: string,
  environment: Readonly<Record<string, string>>,
): () => UtilityEngine {
  return () => {
    const child = utilityProcess.fork(entryPath, [], {
      serviceName: "TOPAS engine",
      stdio: "pipe",
      execArgv: [],
      env: { ...process.env, ...environment },
    });
    const output = openOutput(child);
    let gone = false;
    child.once("exit", () => {
      gone = true;
    });
    return {
      send(message) {
        if (!gone) child.postMessage(message);
      },
      onMessage: (listener) => child.on("message", listener),
      onOutput: output.listen,
      onExit: (listener) => child.once("exit", (code) => output.end().then(() => listener(howItEnded(code)))),
      kill() {
        if (gone) return;
        if (child.pid === undefined) child.once("spawn", () => endAtOnce(child));
        else endAtOnce(child);
      },
    };
  };
}

/** Electron takes all listeners off the pipes at the exit, with what a crashing engine said last still in them. */
function openOutput(child: UtilityProcess) {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const listeners: ((text: string) => void)[] = [];
  const tell = (text: string) => {
    for (const listener of listeners) listener(text);
  };
  for (const stream of streams) {
    (stream as NodeJS.ReadStream).setEncoding("utf8");
    stream.on("data", tell);
  }
  child.on("error", (type, location) => tell(`${type} in ${location}\n`));
  return {
    listen: (listener: (text: string) => void) => void listeners.push(listener),
    async end(): Promise<void> {
      // By the next turn Electron has taken the listeners off.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const ended = streams.map(async (stream) => {
        stream.removeListener("data", tell);
        if ((stream as NodeJS.ReadStream).readableEnded || (stream as NodeJS.ReadStream).destroyed) return;
        const atEnd = new Promise((resolve) =>
          stream.once("end", resolve).once("error", resolve).once("close", resolve),
        );
        stream.on("data", tell);
        await atEnd;
      });
      const limit = new Promise<void>((resolve) => setTimeout(resolve, LAST_OUTPUT_WITHIN_MS));
      await Promise.race([Promise.all(ended), limit]);
    },
  };
}

/** Not SIGTERM, which a stopped process does not hear. */
function endAtOnce(child: UtilityProcess): void {
  if (process.platform === "win32" || child.pid === undefined) child.kill();
  else process.kill(child.pid, "SIGKILL");
}

/** Where there are signals, Electron gives their number as the exit code; the engine itself ends with 0, 1 or 70. */
function howItEnded(code: number): string {
  const signal =
    process.platform === "win32" || code < 2
      ? undefined
      : Object.entries(constants.signals).find(([, number]) => number === code)?.[0];
  return signal === undefined ? `exit code ${code}` : `signal ${signal}`;
}
