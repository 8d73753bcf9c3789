/** The command line of `npm run sim:paper`. */
import { Command, InvalidArgumentError } from "commander";
import { parseQuietly } from "../../app/options";
import { fraction, wholeNumber } from "../number-option";
import { limits, requireWritable } from "../options";

export interface PaperOptions {
  readonly rates: readonly number[];
  readonly seeds: readonly number[];
  readonly tasks: number;
  readonly json: string | null;
}

interface Values {
  readonly rates: readonly number[];
  readonly seeds: number;
  readonly tasks: number;
  readonly json?: string;
}

/** Throws `OptionsEnded`. */
export function parsePaperOptions(argv: readonly string[]): PaperOptions {
  const command = new Command("sim:paper")
    .description("The five workloads of the paper, all online policies, beside the paper's numbers.")
    .option("--rates <fractions>", "fractions of the capacity, with commas", rates, [0.7, 0.8, 0.9, 0.95])
    .option("--seeds <n>", "traces to run, from seeds 1 to n", wholeNumber("seeds", 1, limits.seeds), 3)
    .option("--tasks <n>", "tasks in each trace", wholeNumber("tasks", 1, limits.tasks), 150)
    .option("--json <file>", "write the figures to this file");
  const values = parseQuietly(command, argv, "refused").opts<Values>();
  if (values.json !== undefined) requireWritable(values.json);
  return {
    rates: values.rates,
    seeds: Array.from({ length: values.seeds }, (_, index) => index + 1),
    tasks: values.tasks,
    json: values.json ?? null,
  };
}

function rates(text: string): readonly number[] {
  const list = text.split(",").map((part) => fraction("rates", 0.01, limits.rate)(part.trim()));
  if (new Set(list).size < list.length) throw new InvalidArgumentError("--rates names a rate twice.");
  return list;
}
