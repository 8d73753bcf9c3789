/** A run of the real scheduler on a simulated engine with eight slots, as fast and as long as a bench of the window wants it. */
import { crewWorkload } from "../../../core/sim/crew";
import { seededRandom } from "../../../core/sim/random";
import { simulate } from "../../../core/sim/simulate";
import { defaultConfig } from "../../../core/topas/config";
import { emptyState } from "../../../core/topas/empty-state";
import type { TopasEvent } from "../../../core/topas/events";
import type { Input } from "../../../core/topas/inputs";
import { codeWorkflow, researchWorkflow } from "../../support/workloads";

export interface RunShape {
  readonly seconds: number;
  /** Of one decode step, however many slots run: with it goes the rate of events. */
  readonly stepMs: number;
  /** Between two tasks of one workflow. */
  readonly taskGapMs: number;
}

export const slots = 8;

/** Ends early by an exception that never leaves this file: a simulation knows no other way. */
class LongEnough extends Error {}

export function scriptedRun(
  { seconds, stepMs, taskGapMs }: RunShape,
  watch: (input: Input, events: readonly TopasEvent[]) => void,
): void {
  const range = (low: number, high: number) => ({ low, high });
  const crews = {
    workflows: [researchWorkflow, codeWorkflow],
    tasksOfEach: Math.ceil((seconds * 1000) / taskGapMs) + 20,
    meanGapMs: taskGapMs,
    prefixTokens: range(500, 900),
    tailTokens: range(80, 300),
    outputTokens: range(150, 350),
    maxTokens: 400,
  };
  const costs = {
    ...{ prefillMsPerToken: stepMs / 40, stepMs: Array.from({ length: slots }, () => stepMs), copyMs: stepMs },
    origin: "given" as const,
  };
  try {
    simulate({
      state: emptyState("topas"),
      config: defaultConfig,
      engine: { slots, slotTokens: 2048, budgetTokens: null, storeTokens: 0, costs },
      workload: crewWorkload(crews, seededRandom(5)),
      watch(input, events) {
        if (input.atMs > seconds * 1000) throw new LongEnough();
        watch(input, events);
      },
    });
  } catch (cause) {
    if (!(cause instanceof LongEnough)) throw cause;
  }
}
