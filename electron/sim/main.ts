/** `npm run sim`: simulates workloads under one policy after the other, prints a table of each and writes the figures. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { readOrExit } from "../app/options";
import { measureCapacities } from "./capacity";
import { runExperiments } from "./experiment";
import { parseSimOptions } from "./options";
import { reportOf } from "./report";
import { createRunner } from "./runner";
import { reportText } from "./tables";

const options = readOrExit(() => parseSimOptions(process.argv.slice(2)));
const run = createRunner(path.join(import.meta.dirname, "sim-worker.js"));

try {
  const capacities = await measureCapacities(options.worlds, run);
  const experiments = options.worlds.map((world, index) => ({
    world,
    variants: options.variants,
    seeds: options.seeds,
    rate: options.rate,
    capacityPerS: capacities[index] ?? 0,
    journal: index === 0 ? options.journal : null,
  }));
  const results = await runExperiments(experiments, run);
  const reports = experiments.map((experiment, index) => reportOf(experiment, results[index] ?? []));
  console.log(reports.map(reportText).join("\n\n"));
  // One workload is one object; several are a list of such objects.
  const figures = reports.length === 1 ? reports[0] : { workloads: reports };
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
