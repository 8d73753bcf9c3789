/** The command line of `npm run sim`, checked as a whole before anything runs. */
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { Command, Option } from "commander";
import type { PoolSpec } from "../../core/sim/profile/profile";
import { checkFit, tokensNeeded } from "../../core/sim/workload/check-fit";
import { stagesInOrder } from "../../core/sim/workload/stages-in-order";
import { parseQuietly } from "../app/options";
import { badFile, badInput } from "./bad-input";
import type { Variant, World } from "./experiment";
import { fraction, wholeNumber } from "./number-option";
import { choosePool, type PoolOptions } from "./pool-options";
import { readProfile } from "./read-profile";
import { isFile, type NamedWorkload, readWorkloads } from "./read-workload";
import { chooseVariants, type VariantOptions } from "./variants";

export interface SimOptions {
  readonly worlds: readonly World[];
  readonly variants: readonly Variant[];
  readonly rate: number;
  readonly seeds: readonly number[];
  readonly journal: string | null;
  readonly json: string | null;
}

export const limits = { seeds: 1000, tasks: 10_000, rate: 3 };

interface Values extends PoolOptions, VariantOptions {
  readonly workload: string;
  readonly rate: number;
  readonly seeds: number;
  readonly tasks: number;
  readonly profile: string;
  readonly journal?: string;
  readonly json?: string;
}

/** `argv` without the program's own name. Throws `OptionsEnded`. */
export function parseSimOptions(argv: readonly string[]): SimOptions {
  const values = parseQuietly(simCommand(), argv, "refused").opts<Values>();
  const profile = choosePool(readProfile(values.profile), values);
  const workloads = readWorkloads(values.workload);
  requireFit(workloads, profile.profile.pool);
  if (values.json !== undefined) requireWritable(values.json);
  if (values.journal !== undefined) requireWritable(values.journal);
  return {
    worlds: workloads.map(({ spec }) => ({
      spec: stagesInOrder(spec),
      profile: profile.profile,
      storeTokens: profile.storeTokens,
      tasks: values.tasks,
    })),
    variants: chooseVariants(values),
    rate: values.rate,
    seeds: Array.from({ length: values.seeds }, (_, index) => index + 1),
    journal: values.journal ?? null,
    json: values.json ?? null,
  };
}

function simCommand(): Command {
  return new Command("sim")
    .description("Runs workloads of many agents in the simulator, under one policy after the other.")
    .option("--workload <names|files|all>", "what is asked of the machine", "all")
    .option("--policies <names|all>", "who decides (default: all, with --ablation topas)")
    .option(
      "--rate <fraction>",
      "tasks that come, as a fraction of the capacity",
      fraction("rate", 0.01, limits.rate),
      0.9,
    )
    .option("--seeds <n>", "traces to run, from seeds 1 to n", wholeNumber("seeds", 1, limits.seeds), 10)
    .option("--tasks <n>", "tasks in each trace", wholeNumber("tasks", 1, limits.tasks), 150)
    .option("--profile <name|file>", "the machine", "a100")
    .option("--budget <tokens>", "a pool that all requests share", wholeNumber("budget", 128, 100_000_000))
    .option("--slots <n>", "a pool of so many slots, each with --context", wholeNumber("slots", 1, 64))
    .option("--context <tokens>", "tokens that one slot holds", wholeNumber("context", 128, 100_000_000))
    .option(
      "--ram-tier [tokens]",
      "keep prefixes in RAM (default: as much as the profile says)",
      wholeNumber("ram-tier", 1, 1e9),
    )
    .option("--ablation", "add TOPAS with each of its terms switched off")
    .addOption(
      new Option("--set <name=number>", "change a number of the scheduler's configuration; can be repeated")
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], "none"),
    )
    .option("--journal <file>", "write the first run as a journal")
    .option("--json <file>", "write the figures to this file");
}

/** Throws `OptionsEnded` with everything that has no room. */
export function requireFit(workloads: readonly NamedWorkload[], pool: PoolSpec): void {
  const misfits = workloads.map(({ from, spec }) => ({
    file: isFile(from) ? from : `workload ${from}`,
    problems: checkFit(spec, pool).slice(0, 1),
  }));
  if (misfits.every(({ problems }) => problems.length === 0)) return;
  const lines = misfits.flatMap(({ file, problems }) => (problems.length === 0 ? [] : badFile(file, problems).message));
  const needed = Math.max(...workloads.map(({ spec }) => tokensNeeded(spec)));
  const option = pool.kind === "slots" ? "slots" : "a pool";
  lines.push(`Give ${option} of ${needed} tokens or more with ${pool.kind === "slots" ? "--context" : "--budget"}.`);
  throw badInput(lines.join("\n"));
}

/** Throws `OptionsEnded`. Said before an hour of simulation, not after it. */
export function requireWritable(file: string): void {
  const folder = path.dirname(path.resolve(file));
  try {
    accessSync(existsSync(file) ? file : folder, constants.W_OK);
  } catch {
    throw badInput(`${file}: this file cannot be written. Name one in a folder that exists and may be written to.`);
  }
}
