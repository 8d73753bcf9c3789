/** Journals of small runs as files, whole or with something wrong in them. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { OptionsEnded } from "../../electron/app/options";
import { temporaryFolder } from "../catalogue/temporary-folder";
import { goldenJournal, goldenRuns } from "./golden/golden-runs";

/** The lines of a recorded run, without their line breaks. */
export function recordedLines(name = "two-crews-in-slots"): string[] {
  const run = goldenRuns.find((one) => one.name === name);
  if (run === undefined) throw new Error(`There is no golden run ${name}.`);
  return goldenJournal(run).map((line) => line.trimEnd());
}

export function fileWith(text: string): string {
  const file = path.join(temporaryFolder(), "run.jsonl");
  writeFileSync(file, text);
  return file;
}

export const journalOf = (lines: readonly string[]) => fileWith(`${lines.join("\n")}\n`);

/** The message and code that a command would end with. */
export async function refusalOf(
  reading: Promise<unknown>,
): Promise<{ readonly code: number; readonly message: string }> {
  const cause = await reading.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(cause instanceof OptionsEnded)) throw new Error(`It was not refused: ${String(cause)}`);
  return { code: cause.exitCode, message: cause.message };
}
