/** The built headless server in a process of its own, as a case sees it: over HTTP, and its engine as a process to be hurt. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChatCall, type ChatResult, chatCall } from "./chat-call";

export interface ServerSetting {
  readonly slots?: number;
  readonly context?: number;
  readonly policy?: "topas" | "fcfs";
  readonly model?: string;
  /** 0 unless given: what a case leaves open is not waited for. */
  readonly drainS?: number;
}

export interface Explanation {
  readonly summary: string;
  readonly outcome: string;
  readonly ending: string | null;
  readonly waited_ms: number;
  readonly duration_ms: number | null;
  readonly slot: number | null;
  readonly prompt: {
    readonly tokens: number;
    readonly reused_in_place: number;
    readonly forked: number;
    readonly computed: number;
  };
  readonly generated_tokens: number;
  readonly restarts: number;
}

export interface Health {
  readonly status: string;
  readonly requests_running: number;
  readonly requests_waiting: number;
}

export interface QueueObject {
  readonly running: number;
  readonly data: readonly {
    readonly place: number;
    readonly request_id: string;
    readonly age_ms: number;
    readonly reason: { readonly code: string; readonly sentence: string } | null;
  }[];
}

export interface LaunchOptions extends ServerSetting {
  readonly port: number;
  /** out/main of a build. */
  readonly builtFolder: string;
  readonly journal?: string;
  readonly more?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export class CaseServer {
  readonly port: number;
  readonly process: ChildProcess;
  #printed = "";

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.process = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data) => {
        this.#printed = `${this.#printed}${data}`.slice(-20_000);
      });
    }
  }

  /** Does not wait; for starts that are meant to fail. */
  static spawn({ port, builtFolder, journal, more = [], environment = {}, ...setting }: LaunchOptions): CaseServer {
    const options = [
      ...["--port", String(port), "--slots", String(setting.slots ?? 2), "--context", String(setting.context ?? 2048)],
      ...["--policy", setting.policy ?? "topas", "--drain", String(setting.drainS ?? 0)],
      ...(setting.model === undefined ? [] : ["--model", setting.model]),
      ...(journal === undefined ? [] : ["--journal", journal]),
      ...more,
    ];
    const child = spawn(process.execPath, [join(builtFolder, "headless.js"), ...options], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TOPAS_USER_DATA: join(tmpdir(), "topas-cases"), ...environment },
    });
    return new CaseServer(port, child);
  }

  /** Resolves when it is ready. */
  static async start(options: LaunchOptions): Promise<CaseServer> {
    const server = CaseServer.spawn(options);
    while (!server.printed.includes("Ready at")) {
      if (server.hasEnded) throw new Error(`The server ended: ${server.printed}`);
      await Promise.race([once(server.process, "close"), once(server.process.stdout as NodeJS.ReadableStream, "data")]);
    }
    return server;
  }

  get printed(): string {
    return this.#printed;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get enginePid(): number {
    return childrenOf(this.pid)[0] ?? 0;
  }

  chat(call: Omit<ChatCall, "port">): Promise<ChatResult> {
    return chatCall({ port: this.port, ...call });
  }

  explain(requestId: string): Promise<Explanation> {
    return this.get(`/v1/requests/${requestId}/explain`);
  }

  health(): Promise<Health> {
    return this.get("/health");
  }

  queue(): Promise<QueueObject> {
    return this.get("/v1/queue");
  }

  async get<Body>(path: string): Promise<Body> {
    return (await (await fetch(`http://127.0.0.1:${this.port}${path}`)).json()) as Body;
  }

  /** Asks until the answer fits, at most so long; returns the last answer. */
  async until<Answer>(ask: () => Promise<Answer>, fits: (answer: Answer) => boolean, withinMs = 60_000) {
    const startedAt = performance.now();
    for (;;) {
      const answer = await ask();
      if (fits(answer) || performance.now() - startedAt > withinMs) return answer;
      await pause(100);
    }
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.process, "close");
    const kill = setTimeout(() => this.process.kill("SIGKILL"), 8_000);
    this.process.kill("SIGTERM");
    await ended;
    clearTimeout(kill);
  }
}

export function childrenOf(pid: number): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, command]) => Number(parent) === pid && command !== "ps")
    .map(([child]) => Number(child));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
