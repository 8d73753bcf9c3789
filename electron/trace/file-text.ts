/** The text of a file, packed or not, in pieces. */
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

/** The packed data ends in the middle or is none. */
export class BrokenPacking extends Error {
  override readonly name = "BrokenPacking";
}

/** Several packed pieces one behind the other are one text. Rejects with `BrokenPacking`, or when the file cannot be read. */
export async function* fileText(file: string): AsyncGenerator<string> {
  const raw = createReadStream(file, { highWaterMark: 1024 ** 2 });
  if (!file.endsWith(".gz")) return yield* raw.setEncoding("utf8") as AsyncIterable<string>;
  const unpacked = createGunzip();
  raw.on("error", (cause) => unpacked.destroy(cause));
  try {
    yield* raw.pipe(unpacked).setEncoding("utf8") as AsyncIterable<string>;
  } catch (cause) {
    throw isUnpacking(cause) ? new BrokenPacking() : cause;
  } finally {
    raw.destroy();
  }
}

function isUnpacking(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && String(cause.code).startsWith("Z_");
}
