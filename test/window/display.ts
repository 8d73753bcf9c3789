/** A screen for the window tests: the one there is, else a virtual one of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";

export interface Display {
  /** For the `DISPLAY` variable; undefined where the system needs none. */
  readonly name: string | undefined;
  close(): Promise<void>;
}

export async function openDisplay(): Promise<Display> {
  const existing = process.env.DISPLAY;
  if (process.platform !== "linux" || existing) return { name: existing, close: async () => {} };
  // Xvfb itself picks a free number and writes it to the fourth stream: no two tests can take the same.
  const xvfb = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  return { name: `:${await displayNumber(xvfb)}`, close: () => end(xvfb) };
}

async function displayNumber(xvfb: ChildProcess): Promise<string> {
  const written = once(xvfb.stdio[3] as Readable, "data").then(([bytes]) => String(bytes).trim());
  const failed = Promise.race([once(xvfb, "error"), once(xvfb, "exit")]).then(() => {
    throw new Error("Xvfb did not start. Install it with: apt-get install xvfb");
  });
  return Promise.race([written, failed]);
}

async function end(xvfb: ChildProcess): Promise<void> {
  const ended = once(xvfb, "exit");
  xvfb.kill();
  await ended;
}
