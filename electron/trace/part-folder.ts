/** The folder of the journals that are kept: files named by the time they were begun, the oldest deleted beyond a limit. */
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const ending = ".topas.jsonl.gz";

/** Sorts by time, also between runs. `run` keeps apart servers that share the folder. */
export function partName(startedAt: Date, run: string, part: number): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(":", "-");
  return `${time}-${run}-${String(part).padStart(5, "0")}${ending}`;
}

export class PartFolder {
  constructor(
    readonly folder: string,
    private readonly bytesMax: number,
  ) {}

  async make(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Deletes the oldest parts until `wantedBytes` more fit; `inUse` stays. Says how many bytes were freed. */
  async makeRoom(wantedBytes: number, inUse: string): Promise<number> {
    const parts = await this.#parts();
    let bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    const before = bytes;
    for (const part of parts) {
      if (bytes + wantedBytes <= this.bytesMax) break;
      if (part.file === inUse) continue;
      await rm(part.file, { force: true });
      bytes -= part.bytes;
    }
    return before - bytes;
  }

  /** Deletes the oldest part: the disk is full before the limit is reached. False where there is none but `inUse`. */
  async deleteOldest(inUse: string): Promise<boolean> {
    const oldest = (await this.#parts()).find(({ file }) => file !== inUse);
    if (oldest === undefined) return false;
    await rm(oldest.file, { force: true });
    return true;
  }

  /** Oldest first. */
  async #parts(): Promise<{ readonly file: string; readonly bytes: number }[]> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(ending)).toSorted();
    const parts = names.map(async (name) => {
      const file = join(this.folder, name);
      // Another server may have deleted it meanwhile.
      const bytes = await stat(file).then(
        ({ size }) => size,
        () => 0,
      );
      return { file, bytes };
    });
    return Promise.all(parts);
  }
}
