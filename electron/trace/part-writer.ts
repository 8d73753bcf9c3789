/**
 * Packs pieces of text and appends them to files, one after the other. Each piece is packed for itself, so that a file is
 * readable up to its last piece even when the computer loses power.
 */
import { appendFile, truncate } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { PartFolder } from "./part-folder";

const pack = promisify(gzip);

export interface Part {
  readonly file: string;
  /** Written so far, packed. */
  bytes: number;
}

export interface PartWriterListener {
  /** Told once; what waits then is thrown away, and so is what comes until `mend`. */
  failed(cause: unknown): void;
  written(): void;
}

export class PartWriter {
  readonly #folder: PartFolder;
  readonly #tell: PartWriterListener;
  #last: Promise<void> = Promise.resolve();
  #waitingCharacters = 0;
  #isBroken = false;

  constructor(folder: PartFolder, tell: PartWriterListener) {
    this.#folder = folder;
    this.#tell = tell;
  }

  /** Not written yet. */
  get waitingCharacters(): number {
    return this.#waitingCharacters;
  }

  append(part: Part, text: string): void {
    this.#waitingCharacters += text.length;
    this.#last = this.#last.then(async () => {
      try {
        if (this.#isBroken) return;
        await this.#write(part, text);
        this.#tell.written();
      } catch (cause) {
        this.#isBroken = true;
        this.#tell.failed(cause);
      } finally {
        this.#waitingCharacters -= text.length;
      }
    });
  }

  /** Resolves when all that was given so far is on the disk or thrown away. */
  done(): Promise<void> {
    return this.#last;
  }

  /** Tries again from the next piece on. */
  mend(): void {
    this.#isBroken = false;
  }

  async #write(part: Part, text: string): Promise<void> {
    const packed = await pack(text);
    if (part.bytes === 0) await this.#folder.make();
    await this.#folder.makeRoom(packed.length, part.file);
    for (;;) {
      try {
        await appendFile(part.file, packed, { mode: 0o600 });
        part.bytes += packed.length;
        return;
      } catch (cause) {
        // Half a piece would make what follows unreadable.
        await truncate(part.file, part.bytes).catch(() => {});
        if (!isFull(cause) || !(await this.#folder.deleteOldest(part.file))) throw cause;
      }
    }
  }
}

function isFull(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT");
}
