/** Runs one trace of a workload to its end on a machine with large slots, and keeps what was sent and what happened. */
import type { PolicyName } from "../../core/contract/policy-name";
import { simulate } from "../../core/sim/simulate";
import { generateWorkload, type TracedWorkload } from "../../core/sim/workload/generate";
import type { WorkloadSpec } from "../../core/sim/workload/spec";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import type { TopasEvent } from "../../core/topas/events";
import type { RequestSpec } from "../../core/topas/inputs";
import { slotEngine } from "../support/workloads";

export interface TraceRun {
  readonly trace: TracedWorkload;
  readonly sent: ReadonlyMap<string, { readonly request: RequestSpec; readonly atMs: number }>;
  readonly endedAtMs: ReadonlyMap<string, number>;
  readonly events: readonly TopasEvent[];
}

export interface TraceRunOptions {
  readonly policy?: PolicyName;
  readonly seed?: number;
  readonly tasks?: number;
  readonly meanGapMs?: number;
}

export function runTrace(spec: WorkloadSpec, options: TraceRunOptions = {}): TraceRun {
  const { policy = "fcfs", seed = 1, tasks = 5, meanGapMs = 20_000 } = options;
  const trace = generateWorkload({ spec, seed, tasks, meanGapMs });
  const sent = new Map<string, { request: RequestSpec; atMs: number }>();
  const endedAtMs = new Map<string, number>();
  const events: TopasEvent[] = [];
  simulate({
    state: emptyState(policy),
    config: { ...defaultConfig, waitingMax: 10_000 },
    engine: slotEngine(4, 16_384),
    workload: trace,
    watch(input, caused) {
      if (input.kind === "request.submitted") {
        sent.set(input.request.requestId, { request: input.request, atMs: input.atMs });
      }
      for (const event of caused) {
        events.push(event);
        if (event.kind === "request.finished") endedAtMs.set(event.requestId, event.atMs);
      }
    },
  });
  return { trace, sent, endedAtMs, events };
}
