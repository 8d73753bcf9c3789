/** Three runs, small enough to read, whose journals are kept: what the scheduler decided in them is to stay so. */
import type { PolicyName } from "../../../core/contract/policy-name";
import { crewWorkload } from "../../../core/sim/crew";
import { seededRandom } from "../../../core/sim/random";
import { type EngineOutage, type EngineShape, simulate } from "../../../core/sim/simulate";
import { defaultConfig, type SchedulerConfig } from "../../../core/topas/config";
import { emptyState } from "../../../core/topas/empty-state";
import type { JournalLine } from "../../../electron/trace/journal";
import { slotEngine, smallCrews } from "../../support/workloads";

export interface GoldenRun {
  readonly name: string;
  readonly policy: PolicyName;
  readonly engine: EngineShape;
  readonly outages: readonly EngineOutage[];
  readonly seed: number;
}

const tokenPool: EngineShape = { ...slotEngine(8, 170), budgetTokens: 170 };

export const goldenRuns: readonly GoldenRun[] = [
  { name: "two-crews-in-slots", policy: "topas", engine: slotEngine(2, 128), outages: [], seed: 1 },
  { name: "evictions-in-a-token-pool", policy: "topas", engine: tokenPool, outages: [], seed: 2 },
  {
    name: "engine-lost",
    policy: "fcfs",
    engine: slotEngine(2, 128),
    outages: [{ lostAtMs: 1200, readyAtMs: 1700 }],
    seed: 3,
  },
];

const config: SchedulerConfig = { ...defaultConfig, pieceTokensMax: 64, candidatesKept: 3 };

/** The lines of its journal, each with its line break. */
export function goldenJournal({ policy, engine, outages, seed }: GoldenRun): readonly string[] {
  const lines: JournalLine[] = [{ kind: "journal", version: 1, policy, config }];
  const range = (low: number, high: number) => ({ low, high });
  const crews = {
    ...smallCrews,
    tasksOfEach: 2,
    meanGapMs: 400,
    prefixTokens: range(20, 36),
    tailTokens: range(6, 16),
    outputTokens: range(3, 7),
    maxTokens: 8,
  };
  simulate({
    state: emptyState(policy),
    config,
    engine,
    outages,
    workload: crewWorkload(crews, seededRandom(seed)),
    watch(input, events) {
      lines.push({ kind: "input", input });
      for (const event of events) lines.push({ kind: "event", event });
    },
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}
