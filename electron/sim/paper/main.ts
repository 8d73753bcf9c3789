/** `npm run sim:paper`: the paper's five workloads at rising rates, TOPAS against the best of all online policies. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { policyNames } from "../../../core/policies/policies";
import { builtinProfiles } from "../../../core/sim/profile/builtin-profiles";
import { builtinWorkloads } from "../../../core/sim/workload/builtin/builtin-workloads";
import { readOrExit } from "../../app/options";
import { measureCapacities } from "../capacity";
import { runExperiments, simulatedConfig } from "../experiment";
import { reportOf } from "../report";
import { createRunner } from "../runner";
import { paperNumbers } from "./paper-numbers";
import { parsePaperOptions } from "./paper-options";
import { paperRow } from "./paper-row";
import { paperTable } from "./paper-table";

const { rates, seeds, tasks, json } = readOrExit(() => parsePaperOptions(process.argv.slice(2)));
const run = createRunner(path.join(import.meta.dirname, "sim-worker.js"));

try {
  const profile = builtinProfiles.find(({ name }) => name === "a100");
  if (profile === undefined) throw new Error("There is no profile a100.");
  const specs = builtinWorkloads.filter(({ name }) => paperNumbers.some(({ workload }) => workload === name));
  const worlds = specs.map((spec) => ({ spec, profile, storeTokens: 0, tasks }));
  const capacities = await measureCapacities(worlds, run);
  const variants = policyNames.map((policy) => ({ name: policy, policy, config: simulatedConfig }));
  const experiments = worlds.flatMap((world, index) =>
    rates.map((rate) => ({ world, variants, seeds, rate, capacityPerS: capacities[index] ?? 0, journal: null })),
  );
  const results = await runExperiments(experiments, run);
  const rows = experiments.map((experiment, index) => paperRow(reportOf(experiment, results[index] ?? [])));
  console.log(`TOPAS against the best baseline of each measure, ${tasks} tasks, ${seeds.length} seeds, on a100`);
  console.log(paperTable(rows));
  if (json !== null) await writeFile(json, `${JSON.stringify({ rows }, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
