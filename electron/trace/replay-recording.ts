/**
 * Runs a recording's inputs through the scheduler again, so that its decisions can be taken apart like those of the running
 * server. Done only when somebody asks, because it takes as long as deciding everything did.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RequestId } from "../../core/contract/ids";
import { emptyState } from "../../core/topas/empty-state";
import type { TopasEvent } from "../../core/topas/events";
import { receive } from "../../core/topas/receive";
import type { SchedulerState } from "../../core/topas/state";
import { foldRecord } from "../../core/view/fold-record";
import type { RequestRecord } from "../../core/view/request-record";
import { Inspector } from "../live/inspector";
import { fileText } from "./file-text";
import type { JournalLine } from "./journal";

const inTheMiddle =
  "This recording begins in the middle of its run: its decisions are shown as they were made, but cannot be taken apart.";
const otherVersion =
  "This recording was made by another version of the scheduler: its decisions are shown as they were made, but cannot be taken apart.";

/** Longest time the server's other work waits. */
const turnMs = 8;

/** The inspector of its decisions, or why there is none. What was read before the file breaks off can be inspected. */
export async function replayRecording(file: string): Promise<Inspector | string> {
  let replay: Replay | string | null = null;
  let untilMs = performance.now() + turnMs;
  for await (const line of wholeLines(file)) {
    if (replay === null) replay = begun(line);
    else if (typeof replay !== "string" && !replay.take(line))
      return replay.isAnother ? otherVersion : replay.inspector;
    if (typeof replay === "string") return replay;
    if (performance.now() < untilMs) continue;
    await nextTurn();
    untilMs = performance.now() + turnMs;
  }
  return replay instanceof Replay ? replay.inspector : inTheMiddle;
}

function begun(line: JournalLine): Replay | string {
  if (line.kind !== "journal" || line.view !== undefined || line.config === undefined) return inTheMiddle;
  return new Replay(line);
}

class Replay {
  readonly inspector: Inspector;
  isAnother = false;
  readonly #head: Extract<JournalLine, { kind: "journal" }>;
  readonly #state: SchedulerState;
  readonly #records = new Map<RequestId, RequestRecord>();
  /** Events that should follow. */
  #expected: readonly TopasEvent[] = [];

  constructor(head: Extract<JournalLine, { kind: "journal" }>) {
    this.#head = head;
    this.#state = emptyState(head.policy);
    this.inspector = new Inspector(head.config, this.#records);
  }

  /** False where it cannot go on. */
  take(line: JournalLine): boolean {
    if (line.kind === "journal") return true;
    if (line.kind === "event") return this.#compare(line.event);
    try {
      this.inspector.note(line.input, this.#state);
      this.#expected = receive(this.#state, line.input, this.#head.config).events;
      for (const event of this.#expected) foldRecord(this.#records, event);
      return true;
    } catch {
      return false;
    }
  }

  #compare(event: TopasEvent): boolean {
    const [next, ...others] = this.#expected;
    this.#expected = others;
    this.isAnother = next?.kind !== event.kind || next.number !== event.number || next.atMs !== event.atMs;
    return !this.isAnother;
  }
}

/** As far as the file goes; what is wrong with it was said when it was opened. */
async function* wholeLines(file: string): AsyncGenerator<JournalLine> {
  let rest = "";
  try {
    for await (const chunk of fileText(file)) {
      const pieces = (rest + chunk).split("\n");
      rest = pieces.pop() ?? "";
      for (const piece of pieces) yield JSON.parse(piece) as JournalLine;
    }
  } catch {
    return;
  }
}
