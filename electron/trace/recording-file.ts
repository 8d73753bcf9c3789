/** Reads a recording from disk, packed or not, line by line and as far as it goes. */
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { type RecordedItem, RecordingReader } from "../../core/view/recording";

/** A longer line is no recording's. */
const lineCharactersMax = 64 * 1024 ** 2;

/** Ends after the first problem, which is the last item. Rejects only where the file cannot be opened. */
export async function* readRecording(file: string): AsyncGenerator<RecordedItem> {
  const reader = new RecordingReader();
  let rest = "";
  try {
    for await (const chunk of textOf(file)) {
      const pieces = (rest + chunk).split("\n");
      rest = pieces.pop() ?? "";
      if (rest.length > lineCharactersMax) return yield reader.cut("its line is too long.");
      for (const piece of pieces) yield reader.line(piece);
    }
  } catch (cause) {
    if (!isUnpacking(cause)) throw cause;
    return yield reader.cut("the packed data ends in the middle.");
  }
  if (rest !== "") yield reader.line(rest, false);
}

async function* textOf(file: string): AsyncGenerator<string> {
  const raw = createReadStream(file);
  if (!file.endsWith(".gz")) return yield* raw.setEncoding("utf8") as AsyncIterable<string>;
  const unpacked = createGunzip();
  raw.on("error", (cause) => unpacked.destroy(cause));
  yield* raw.pipe(unpacked).setEncoding("utf8") as AsyncIterable<string>;
}

/** Zlib's own errors: the file can be read, but it is not whole. */
function isUnpacking(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && String(cause.code).startsWith("Z_");
}
