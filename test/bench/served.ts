/** A server in a process of its own, for measuring: started, waited for, ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";

export interface Served {
  readonly name: string;
  /** Ends in /v1. */
  readonly baseUrl: string;
  stop(): void;
}

export async function serve(name: string, command: string, options: readonly string[], port: number): Promise<Served> {
  const child = spawn(command, options, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr?.on("data", (data) => {
    errors = `${errors}${data}`.slice(-2000);
  });
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  await waitUntilHealthy(child, `http://127.0.0.1:${port}/health`, () => errors);
  return { name, baseUrl, stop: () => void child.kill("SIGKILL") };
}

async function waitUntilHealthy(child: ChildProcess, url: string, errors: () => string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The server ended (${child.signalCode ?? child.exitCode}): ${errors()}`);
    }
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill("SIGKILL");
  throw new Error(`The server at ${url} was not ready within a minute: ${errors()}`);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
