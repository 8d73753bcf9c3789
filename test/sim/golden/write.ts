/** `npm run golden`: writes the golden journals anew, on purpose, when the scheduler is meant to decide otherwise. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { goldenJournal, goldenRuns } from "./golden-runs";

for (const run of goldenRuns) {
  const lines = goldenJournal(run);
  writeFileSync(path.join(import.meta.dirname, `${run.name}.journal`), lines.join(""));
  console.log(`${run.name}.journal: ${lines.length} lines`);
}
