/** One page in a browser: its live data go down as server-sent events, what it sends comes as requests that name the session. */
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PortMessage } from "../../core/contract/window";
import type { CheckedCommand } from "../ipc/checked-command";
import { type LiveFeed, openLiveFeed } from "../ipc/live-feed";
import { pageCommands } from "../ipc/page-commands";
import { PageSource } from "../ipc/page-source";
import type { WindowApp } from "../ipc/window-app";

/** Of a recording that is opened in a browser. */
export const uploadBytesMax = 1024 ** 3;
/** Proxies close what is silent for longer. */
const silenceMs = 15_000;

export class WebSession {
  readonly id = randomBytes(16).toString("base64url");
  readonly page: PageSource;
  readonly #commands: ReadonlyMap<string, CheckedCommand>;
  readonly #feed: LiveFeed;
  readonly #response: ServerResponse;
  readonly #beat: ReturnType<typeof setInterval>;
  #folder: string | null = null;

  constructor(app: WindowApp, response: ServerResponse) {
    this.#response = response;
    this.page = new PageSource(app);
    this.#commands = new Map(pageCommands(this.page).map((command) => [command.name, command]));
    this.#tell("session", this.id);
    this.#feed = openLiveFeed(this.page, {
      send: (message) => this.#tell("live", asSeenInBrowser(message)),
      probe: (sent) => this.#tell("probe", sent),
    });
    this.page.onSwitch(() => this.#feed.restart());
    this.#beat = setInterval(() => response.write(": still here\n\n"), silenceMs);
  }

  confirm(sent: number): void {
    this.#feed.confirm(sent);
  }

  /** Undefined where there is no such command. */
  run(name: string, values: readonly unknown[]): Promise<unknown> | undefined {
    return this.#commands.get(name)?.run(values);
  }

  /** Takes a recording from the browser and shows it. It stays on this machine's disk for as long as the page is open. */
  async open(name: string, body: Readable): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), "topas-recording-"));
    const file = join(this.#folder, `${randomBytes(6).toString("hex")}${name.endsWith(".gz") ? ".gz" : ".jsonl"}`);
    await pipeline(body, atMost(uploadBytesMax), createWriteStream(file, { mode: 0o600 }));
    await this.page.open(file, name);
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    this.#feed.close();
    this.#response.end();
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  #tell(event: string, data: unknown): void {
    this.#response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** The header leaves room for a window's own buttons by the platform. */
function asSeenInBrowser(message: PortMessage): PortMessage {
  return "status" in message ? { ...message, status: { ...message.status, platform: "browser" } } : message;
}

function atMost(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      bytes += chunk.length;
      if (bytes <= bytesMax) next(null, chunk);
      else next(new Error(`A recording larger than ${bytesMax / 1024 ** 2} MiB cannot be opened in a browser.`));
    },
  });
}
