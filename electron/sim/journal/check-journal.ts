/** Replays a journal exactly while it is read, and keeps of it what a what-if needs. Says nothing before all of it was read. */

import type { PolicyName } from "../../../core/contract/policy-name";
import { StepSamples } from "../../../core/sim/profile/step-samples";
import { RecordedRun } from "../../../core/sim/recorded-run";
import { type Difference, ExactReplay } from "../../../core/sim/replay";
import { TaskTimes } from "../../../core/sim/task-times";
import type { SchedulerConfig } from "../../../core/topas/config";
import type { TopasEvent } from "../../../core/topas/events";
import type { Input } from "../../../core/topas/inputs";
import { badInput } from "../bad-input";
import { cutJournal, readJournal } from "./read-journal";

export interface CheckedJournal {
  readonly policy: PolicyName;
  readonly config: SchedulerConfig;
  readonly inputs: number;
  readonly events: number;
  /** Null: every event is the recorded one. */
  readonly difference: (Difference & { readonly line: number }) | null;
  readonly cutAtLine: number | null;
  readonly run: RecordedRun;
  readonly times: TaskTimes;
  readonly steps: StepSamples;
}

export interface CheckOptions {
  /** Takes a journal whose end is missing up to there. */
  readonly untilCut: boolean;
  /** Fills `run`, `times` and `steps`, which hold every prompt. Without, a journal of any length fits in memory. */
  readonly keepsRun: boolean;
}

/** Rejects with `OptionsEnded` for a file that is no whole journal. */
export async function checkJournal(file: string, { untilCut, keepsRun }: CheckOptions): Promise<CheckedJournal> {
  let head: Pick<CheckedJournal, "policy" | "config"> | null = null;
  let replay: ExactReplay | null = null;
  let difference: CheckedJournal["difference"] = null;
  let cutAtLine: number | null = null;
  let [inputs, events, lastLine] = [0, 0, 1];
  const [run, times, steps] = [new RecordedRun(), new TaskTimes(), new StepSamples()];
  const keepers = [(event: TopasEvent) => run.event(event), times.take.bind(times), steps.take.bind(steps)];
  const compare = (line: number, found: Difference | null) => {
    if (found === null || difference !== null) return;
    difference = { ...found, line };
    replay = null; // after a difference everything differs; the rest is only checked
  };

  for await (const entry of readJournal(file, untilCut)) {
    switch (entry.kind) {
      case "journal":
        head = entry;
        replay = new ExactReplay(entry.policy, entry.config);
        break;
      case "input":
        [inputs, lastLine] = [inputs + 1, entry.line];
        if (keepsRun) run.input(entry.input);
        if (replay !== null) compare(entry.line, takeInput(file, entry.line, replay, entry.input));
        break;
      case "event":
        [events, lastLine] = [events + 1, entry.line];
        if (keepsRun) for (const keep of keepers) keep(entry.event);
        compare(entry.line, replay?.event(entry.event) ?? null);
        break;
      case "cut":
        cutAtLine = entry.line;
        break;
      default:
        entry satisfies never;
    }
  }
  const missing = (replay as ExactReplay | null)?.missingEvents ?? 0;
  if (missing > 0) cutAtLine ??= lastLine;
  if (missing > 0 && !untilCut)
    throw cutJournal(file, lastLine, `${missing} of the events of its last input are missing.`);
  if (head === null) throw new Error("A journal without a head was read to its end.");
  return { policy: head.policy, config: head.config, inputs, events, difference, cutAtLine, run, times, steps };
}

/** A scheduler that gives up on an input was fed something that no run can contain. */
function takeInput(file: string, line: number, replay: ExactReplay, input: Input): Difference | null {
  try {
    return replay.input(input);
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw badInput(
      `${file}: line ${line}: this input does not follow from what was before: ${words} Take the file as it was written.`,
    );
  }
}
