/** The command line of `npm run fit`. */
import { Command } from "commander";
import { parseQuietly } from "../../app/options";
import { requireWritable } from "../options";

export interface FitOptions {
  readonly file: string;
  readonly untilCut: boolean;
  /** Where the profile is written to; null = it is only printed. */
  readonly json: string | null;
}

interface Values {
  readonly untilCut?: true;
  readonly json?: string;
}

/** Throws `OptionsEnded`. */
export function parseFitOptions(argv: readonly string[]): FitOptions {
  const command = new Command("fit")
    .description("Fits a machine's profile to a recorded run, for npm run sim -- --profile FILE.")
    .argument("<journal>", "a recording, or a file that was written with --journal")
    .option("--until-cut", "use a journal whose end is missing up to there")
    .option("--json <file>", "write the profile to this file");
  const parsed = parseQuietly(command, argv, "refused");
  const values = parsed.opts<Values>();
  if (values.json !== undefined) requireWritable(values.json);
  return { file: parsed.args[0] ?? "", untilCut: values.untilCut ?? false, json: values.json ?? null };
}
