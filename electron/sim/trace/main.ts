/** `npm run trace -- FILE`: a recording or a journal as a Chrome trace for ui.perfetto.dev. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Command } from "commander";
import type { RecordingProblem } from "../../../core/view/recording";
import { traceText } from "../../../core/view/trace-text";
import type { LiveView } from "../../../core/view/view";
import type { ViewEvent } from "../../../core/view/view-event";
import { parseQuietly, readOrExit } from "../../app/options";
import { readRecording } from "../../trace/recording-file";

const command = new Command("trace")
  .description("Turns a recording into a Chrome trace for ui.perfetto.dev.")
  .argument("<file>", "a .topas.jsonl.gz or a journal")
  .option("--out <file>", "where to write it (default: beside the recording)");
readOrExit(() => parseQuietly(command, process.argv.slice(2), "refused"));
const file = command.args[0] as string;
const out: string = command.opts().out ?? `${file.replace(/(\.topas)?\.jsonl(\.gz)?$/, "")}.trace.json`;

try {
  let start: LiveView | null = null;
  const events: ViewEvent[] = [];
  let problem: RecordingProblem | null = null;
  for await (const item of readRecording(file)) {
    if (item.kind === "start") start = item.view;
    else if (item.kind === "event") events.push(item.event);
    else if (item.kind === "problem") problem = item.problem;
  }
  if (problem !== null) console.error(`${file}: ${problem.message}`);
  if (start === null) {
    if (problem === null) console.error(`${file}: the file is empty.`);
    process.exitCode = 2;
  } else {
    await pipeline(Readable.from(traceText(start, events)), createWriteStream(out));
    console.log(`${out}: ${events.length} events. Open it at ui.perfetto.dev; the file stays on this machine.`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
