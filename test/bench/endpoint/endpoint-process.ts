/** The process of server.ts as its parent sees it. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Order, Report } from "./server";

export interface Measured {
  readonly cpuMs: number;
  readonly longestBlockMs: number;
}

export class EndpointProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Ends in /v1. */
    readonly url: string,
  ) {}

  static async start(): Promise<EndpointProcess> {
    const program = fileURLToPath(new URL("./server.ts", import.meta.url));
    const child = fork(program, { execArgv: ["--import", "tsx"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const ready = await answerOf(child);
    if (ready.kind !== "ready") throw new Error("The server did not say that it is ready.");
    return new EndpointProcess(child, ready.url);
  }

  async step(ms: number | null): Promise<void> {
    await this.#ask({ kind: "step", ms });
  }

  /** Since it was asked last. */
  async measure(): Promise<Measured> {
    const report = await this.#ask({ kind: "measure" });
    if (report.kind !== "measured") throw new Error("The server measured nothing.");
    return report;
  }

  stop(): void {
    this.child.kill();
  }

  async #ask(order: Order): Promise<Report> {
    const answer = answerOf(this.child);
    this.child.send(order);
    return answer;
  }
}

function answerOf(child: ChildProcess): Promise<Report> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The server ended with code ${code}.`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as Report);
    });
  });
}
