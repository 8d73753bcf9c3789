/**
 * The journal that is always on: every input and event of this run in packed parts on disk, the oldest deleted beyond a limit.
 * Without prompts and answers unless the user turned that on. A disk that fails stops it with a word, and it goes on by
 * itself when the disk does; the server never waits for it.
 */
import { randomBytes } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { SchedulerConfig } from "../../core/topas/config";
import type { TopasEvent } from "../../core/topas/events";
import type { Input } from "../../core/topas/inputs";
import type { LiveView } from "../../core/view/view";
import type { JournalLine } from "./journal";
import { PartFolder, partName } from "./part-folder";
import { type Part, PartWriter } from "./part-writer";
import { PrivateLines } from "./private-lines";

export interface JournalLimits {
  /** Of the folder, all runs together. */
  readonly folderBytesMax: number;
  readonly partBytesMax: number;
  /** Text that is packed at once, and how long less of it waits. */
  readonly pieceCharacters: number;
  readonly pieceMs: number;
  /** Text in memory that the disk has not taken yet. */
  readonly waitingCharactersMax: number;
  /** After a failure. */
  readonly retryMs: number;
}

export const defaultJournalLimits: JournalLimits = {
  folderBytesMax: 256 * 1024 ** 2,
  partBytesMax: 8 * 1024 ** 2,
  pieceCharacters: 512 * 1024,
  pieceMs: 3_000,
  waitingCharactersMax: 32 * 1024 ** 2,
  retryMs: 30_000,
};

export interface KeptJournalOptions {
  readonly folder: string;
  readonly config: SchedulerConfig;
  /** The view as it is now: with it each part begins. */
  readonly view: () => LiveView;
  readonly keepsTexts: boolean;
  readonly limits?: Partial<JournalLimits>;
  /** Why it stopped; null when it goes on. */
  readonly onProblem: (message: string | null) => void;
}

export class KeptJournal {
  readonly #options: KeptJournalOptions;
  readonly #limits: JournalLimits;
  readonly #writer: PartWriter;
  readonly #lines: Pick<PrivateLines, "input" | "event">;
  readonly #run = randomBytes(3).toString("hex");
  #partsBegun = 0;
  /** Without a gap between them; the last one is being written. */
  #parts: Part[] = [];
  #text: string[] = [];
  #characters = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stoppedAtMs: number | null = null;
  #hasProblem = false;
  #isClosed = false;

  constructor(options: KeptJournalOptions) {
    this.#options = options;
    this.#limits = { ...defaultJournalLimits, ...options.limits };
    const folder = new PartFolder(options.folder, this.#limits.folderBytesMax);
    this.#writer = new PartWriter(folder, {
      failed: (cause) => this.#stop(cause instanceof Error ? cause.message : String(cause)),
      written: () => this.#goOn(),
    });
    this.#lines = options.keepsTexts ? { input: (input) => input, event: (event) => event } : new PrivateLines();
  }

  /** Each input before it is taken. */
  input(input: Input): void {
    // Even while nothing is written: what it hears is what it knows the sequences by.
    const told = this.#lines.input(input);
    if (this.#isClosed || !this.#mayWrite()) return;
    if (this.#needsPart()) this.#beginPart();
    this.#write({ kind: "input", input: told });
  }

  event(event: TopasEvent): void {
    const told = this.#lines.event(event);
    if (this.#isClosed || this.#stoppedAtMs !== null || this.#parts.length === 0) return;
    this.#write({ kind: "event", event: told });
  }

  /** This run up to now, packed: its parts one behind the other are one recording. Null when the disk has nothing to offer. */
  async recording(): Promise<Readable | null> {
    this.#flush();
    await this.#writer.done();
    const files = this.#parts.map(({ file }) => file);
    const there = files.slice(files.findLastIndex((file) => !existsSync(file)) + 1);
    return there.length === 0 ? null : Readable.from(filesInTurn(there), { objectMode: false });
  }

  /** Resolves when all is on the disk. */
  async close(): Promise<void> {
    this.#flush();
    this.#isClosed = true;
    await this.#writer.done();
  }

  #mayWrite(): boolean {
    if (this.#stoppedAtMs === null) return true;
    if (performance.now() - this.#stoppedAtMs < this.#limits.retryMs) return false;
    this.#stoppedAtMs = null;
    this.#writer.mend();
    return true;
  }

  #needsPart(): boolean {
    const part = this.#parts.at(-1);
    return part === undefined || part.bytes >= this.#limits.partBytesMax;
  }

  #beginPart(): void {
    this.#flush();
    this.#partsBegun += 1;
    const file = join(this.#options.folder, partName(new Date(), this.#run, this.#partsBegun));
    this.#parts.push({ file, bytes: 0 });
    const view = this.#options.view();
    const head = { kind: "journal", version: 1, policy: view.policy, config: this.#options.config } as const;
    this.#write(view.eventNumber === 0 ? head : { ...head, view });
  }

  #write(line: JournalLine): void {
    const text = `${JSON.stringify(line)}\n`;
    this.#text.push(text);
    this.#characters += text.length;
    if (this.#characters >= this.#limits.pieceCharacters) this.#flush();
    this.#timer ??= setTimeout(() => this.#flush(), this.#limits.pieceMs).unref();
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const part = this.#parts.at(-1);
    const text = this.#text.join("");
    this.#text = [];
    this.#characters = 0;
    if (part === undefined || text === "") return;
    if (this.#writer.waitingCharacters + text.length > this.#limits.waitingCharactersMax)
      return this.#stop("the disk is too slow");
    this.#writer.append(part, text);
  }

  #stop(why: string): void {
    if (this.#stoppedAtMs !== null) return;
    this.#stoppedAtMs = performance.now();
    this.#parts = [];
    this.#text = [];
    this.#characters = 0;
    this.#hasProblem = true;
    this.#options.onProblem(`The journal on disk has stopped: ${why}. The server goes on, and so will the journal.`);
  }

  #goOn(): void {
    if (!this.#hasProblem || this.#stoppedAtMs !== null) return;
    this.#hasProblem = false;
    this.#options.onProblem(null);
  }
}

async function* filesInTurn(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* createReadStream(file) as AsyncIterable<Buffer>;
}
