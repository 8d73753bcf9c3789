/** Runs one job and counts. The figures depend on the job alone, but for the times that decisions took. */
import { offlinePolicies } from "../../core/policies/policies";
import { simulate } from "../../core/sim/simulate";
import { generateWorkload } from "../../core/sim/workload/generate";
import { emptyState } from "../../core/topas/empty-state";
import type { OutsideInput } from "../../core/topas/inputs";
import { openJournal } from "../trace/journal";
import { engineShape } from "./engine-shape";
import { foreseeCalls } from "./foresee";
import type { Job, RunFigures } from "./job";
import { RunCounter } from "./run-counter";

/** Rejects when the journal cannot be opened, or when a request was refused or lost, for then the figures mean nothing. */
export async function runJob(job: Job): Promise<RunFigures> {
  const { spec, seed, tasks, meanGapMs, policy, config } = job;
  const journal = job.journal === null ? null : await openJournal(job.journal, refuse);
  journal?.write({ kind: "journal", version: 1, policy, config });
  const workload = generateWorkload({ spec, seed, tasks, meanGapMs });
  const counter = new RunCounter(journal);
  simulate({
    state: emptyState(policy),
    config,
    engine: engineShape(job.profile, job.storeTokens),
    workload: {
      first: [...announcement(job), ...workload.first],
      lengths: workload.lengths,
      answer: (event) => workload.answer(event),
    },
    receive: counter.receive,
    watch: (input, events) => counter.note(input, events),
  });
  await journal?.close();
  return counter.figures(workload);
}

function announcement(job: Job): readonly OutsideInput[] {
  if (!offlinePolicies.includes(job.policy)) return [];
  return [{ origin: "outside", kind: "trace.announced", atMs: 0, calls: foreseeCalls(job) }];
}

function refuse(problem: string): never {
  throw new Error(problem);
}
