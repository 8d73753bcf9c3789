/** A workload by its name or from a file, checked as far as it can be without knowing the pool. */
import { builtinWorkloads } from "../../core/sim/workload/builtin/builtin-workloads";
import { checkWorkload } from "../../core/sim/workload/check-workload";
import type { WorkloadSpec } from "../../core/sim/workload/spec";
import { badFile, badInput } from "./bad-input";
import { readJsonFile } from "./json-file";
import { problemsOf, sentenceOf } from "./schema-problems";
import { workloadSchema } from "./workload-schema";

/** `from` is what the user wrote: a name or a file. Stages are as they were given; drawing needs `stagesInOrder`. */
export interface NamedWorkload {
  readonly from: string;
  readonly spec: WorkloadSpec;
}

/** Names and files with commas between, or `all`. Throws `OptionsEnded`. */
export function readWorkloads(text: string): readonly NamedWorkload[] {
  if (text === "all") return builtinWorkloads.map((spec) => ({ from: spec.name, spec }));
  return text.split(",").map((part) => readWorkload(part.trim()));
}

function readWorkload(from: string): NamedWorkload {
  const builtin = builtinWorkloads.find(({ name }) => name === from);
  if (builtin !== undefined) return { from, spec: builtin };
  if (isFile(from)) return { from, spec: readWorkloadFile(from) };
  const names = builtinWorkloads.map(({ name }) => name).join(", ");
  throw badInput(`There is no workload "${from}". There are ${names}, and files whose names end in .json.`);
}

export function isFile(text: string): boolean {
  return text.endsWith(".json") || text.includes("/");
}

/** Throws `OptionsEnded`. */
export function readWorkloadFile(file: string): WorkloadSpec {
  const read = workloadSchema.safeParse(readJsonFile(file), { error: sentenceOf });
  if (!read.success) throw badFile(file, problemsOf(read.error));
  const problems = checkWorkload(read.data);
  if (problems.length > 0) throw badFile(file, problems);
  return read.data;
}
