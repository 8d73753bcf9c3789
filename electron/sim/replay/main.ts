/** `npm run replay`: replays a journal exactly, and with `--policy` simulates its requests under another policy. */
import { writeFile } from "node:fs/promises";
import { OptionsEnded, readOrExit } from "../../app/options";
import { checkJournal } from "../journal/check-journal";
import { comparePolicies } from "./compare-policies";
import { parseReplayOptions } from "./replay-options";
import { comparisonText, replayText } from "./replay-text";

const { file, policy, fitted, untilCut, json } = readOrExit(() => parseReplayOptions(process.argv.slice(2)));

try {
  const journal = await checkJournal(file, { untilCut, keepsRun: policy !== null });
  const { difference, inputs, events, cutAtLine } = journal;
  console.log(replayText(file, journal));
  // What differs from its record was decided by another scheduler: a comparison of policies would say nothing.
  const comparison =
    policy === null || difference !== null ? null : comparePolicies(journal, policy, fitted ? "fitted" : "calibrated");
  if (comparison !== null) console.log(comparisonText(comparison));
  else if (policy !== null && difference === null)
    console.log("No task was over when the record ended: nothing to compare.");
  const result = {
    journal: file,
    policy: journal.policy,
    inputs,
    events,
    identical: difference === null,
    difference,
    cutAtLine,
    whatIf: comparison,
  };
  if (json !== null) await writeFile(json, `${JSON.stringify(result, null, 2)}\n`);
  if (difference !== null) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof OptionsEnded ? error.exitCode : 1;
}
