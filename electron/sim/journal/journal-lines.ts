/** The lines of a file one by one, so that a journal of any length can be read. Knows nothing of what they say. */
import { statSync } from "node:fs";
import { BrokenPacking, fileText } from "../../trace/file-text";
import { badInput } from "../bad-input";

export interface FileLine {
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** False for a last line that no line break ends: whoever wrote it was stopped. */
  readonly isWhole: boolean;
}

/** No JSON, so that the line it is in is taken for the last and not whole. */
const cutMark = "\u0000";

/** A longer line is no journal's: the longest holds one prompt. */
const lineCharactersMax = 128 * 1024 ** 2;

/** Rejects with `OptionsEnded` when the file cannot be read. */
export async function* journalLines(file: string): AsyncGenerator<FileLine> {
  requireFile(file);
  let rest = "";
  let line = 0;
  for await (const chunk of readableText(file)) {
    const pieces = (rest + chunk).split("\n");
    rest = pieces.pop() ?? "";
    if (rest.length > lineCharactersMax)
      throw badInput(`${file}: line ${line + 1}: this line is too long for a journal.`);
    for (const text of pieces) {
      line += 1;
      yield { text, line, isWhole: true };
    }
  }
  if (rest !== "") yield { text: rest, line: line + 1, isWhole: false };
}

/** A packed file that is cut ends where it is cut, in the middle of a line. */
async function* readableText(file: string): AsyncGenerator<string> {
  try {
    yield* fileText(file);
  } catch (cause) {
    if (!(cause instanceof BrokenPacking)) throw cause;
    yield cutMark;
  }
}

function requireFile(file: string): void {
  try {
    if (statSync(file).isDirectory()) throw badInput(`${file}: this is a folder, not a file.`);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : null;
    if (code === "ENOENT") throw badInput(`${file}: there is no such file.`);
    if (code === "EACCES") throw badInput(`${file}: the file may not be read.`);
    throw cause;
  }
}
