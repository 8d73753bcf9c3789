/** Reads a recording from disk, packed or not, line by line and as far as it goes. */
import { type RecordedItem, RecordingReader } from "../../core/view/recording";
import { BrokenPacking, fileText } from "./file-text";

/** A longer line is no recording's. */
const lineCharactersMax = 64 * 1024 ** 2;

/** Ends after the first problem, which is the last item. Rejects only where the file cannot be read. */
export async function* readRecording(file: string): AsyncGenerator<RecordedItem> {
  const reader = new RecordingReader();
  let rest = "";
  try {
    for await (const chunk of fileText(file)) {
      const pieces = (rest + chunk).split("\n");
      rest = pieces.pop() ?? "";
      if (rest.length > lineCharactersMax) return yield reader.cut("its line is too long.");
      for (const piece of pieces) yield reader.line(piece);
    }
  } catch (cause) {
    if (!(cause instanceof BrokenPacking)) throw cause;
    return yield reader.cut("the packed data ends in the middle.");
  }
  if (rest !== "") yield reader.line(rest, false);
}
