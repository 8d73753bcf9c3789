/** `npm run fit`: fits a machine's profile to a journal and says how well it explains what was recorded. */
import { writeFile } from "node:fs/promises";
import { OptionsEnded, readOrExit } from "../../app/options";
import { columns } from "../../demo/table";
import { fitJournal } from "./fit-journal";
import { parseFitOptions } from "./fit-options";

const { file, untilCut, json } = readOrExit(() => parseFitOptions(process.argv.slice(2)));

try {
  const { profile, fit } = await fitJournal(file, untilCut);
  const text = JSON.stringify(profile, null, 2);
  console.log(text);
  const rows = fit.kinds.map(({ kind, steps, medianError }) => [
    kind,
    steps.toLocaleString("en-US"),
    `${(100 * medianError).toFixed(1)} %`,
  ]);
  console.log(columns([["kind of step", "steps", "median error"], ...rows]));
  if (json !== null) await writeFile(json, `${text}\n`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof OptionsEnded ? error.exitCode : 1;
}
