/** A recording read from disk, as a page shows it: its history, why it ends where it does, and its decisions taken apart. */
import { basename } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ShownRecording } from "../../core/contract/window";
import type { InspectionResult } from "../../core/inspect/inspection";
import { History, viewFolding } from "../../core/view/history";
import type { RecordedItem, RecordingProblem } from "../../core/view/recording";
import type { LiveView } from "../../core/view/view";
import { readRecording } from "./recording-file";
import { replayRecording } from "./replay-recording";

export interface RecordingOnDisk {
  readonly shown: ShownRecording;
  readonly history: History<LiveView>;
  inspect(decision: number): Promise<InspectionResult>;
}

/** The server's other work gets a turn after so many events. */
const eventsOfTurn = 500;

/** Rejects with a sentence that names the line where nothing of the file can be shown. */
export async function openRecording(file: string, name = basename(file)): Promise<RecordingOnDisk> {
  let history: History<LiveView> | null = null;
  let problem: RecordingProblem | null = null;
  let simulated = false;
  let events = 0;
  for await (const item of readRecording(file)) {
    if (item.kind === "start") history = new History(item.view, viewFolding);
    else if (item.kind === "problem") problem = item.problem;
    else if (item.kind === "event") {
      problem = added(history, item);
      if (problem !== null) break;
      simulated ||= item.event.kind === "engine.ready" && item.event.costs.origin === "given";
      events += 1;
      if (events % eventsOfTurn === 0) await nextTurn();
    }
  }
  if (history === null) throw new Error(`${name}: ${problem?.message ?? "The file is empty."}`);
  let replayed: ReturnType<typeof replayRecording> | null = null;
  return {
    shown: { name, simulated, problem: problem?.message ?? null },
    history,
    async inspect(decision) {
      replayed ??= replayRecording(file);
      const result = await replayed;
      return typeof result === "string" ? { kind: "failed", message: result } : result.inspect(decision);
    },
  };
}

/** Every field may be right and the event make no sense all the same. */
function added(
  history: History<LiveView> | null,
  { event, line }: Extract<RecordedItem, { kind: "event" }>,
): RecordingProblem | null {
  try {
    history?.add(event);
    return null;
  } catch {
    return { line, message: `Line ${line}: event ${event.number} does not fit what was before it.` };
  }
}
