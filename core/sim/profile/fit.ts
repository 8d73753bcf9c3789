/**
 * Fits a cost model to recorded steps: each cost is the median of what is left of the durations once the other costs are
 * taken off, so that a disturbed step changes nothing. What was not seen keeps the value that the engine came with.
 */
import type { CostProfile } from "../../contract/engine";
import type { Milliseconds } from "../../contract/ids";
import { stepSeconds } from "../../topas/cost";
import { fitSteps } from "./fit-steps";
import { weightedMedian } from "./median";
import type { StepSample } from "./step-samples";

/** Kinds of steps by what sets their duration. */
export const stepKinds = ["decode", "prompt", "copy", "warm store"] as const;
export type StepKind = (typeof stepKinds)[number];

export interface KindFit {
  readonly kind: StepKind;
  readonly steps: number;
  /** Median over the steps of |predicted - recorded| / recorded. */
  readonly medianError: number;
}

export interface Fit {
  readonly costs: CostProfile;
  /** Kinds that were seen. */
  readonly kinds: readonly KindFit[];
}

/** Steps with fewer prompt tokens say little about the cost of one. */
const promptTokensMin = 16;
/** Copies, saves and restores often share a step: each is fitted with the others as they were found before. */
const rounds = 20;

/** `known` = what the engine was calibrated to. */
export function fitCosts(samples: readonly StepSample[], known: CostProfile): Fit {
  const ofKind = (kind: StepKind) => samples.filter((sample) => kindOf(sample) === kind);
  let costs: CostProfile = { ...known, stepMs: fitSteps(ofKind("decode"), known) };
  const prompts = ofKind("prompt").filter(({ promptTokens }) => promptTokens >= promptTokensMin);
  costs = { ...costs, prefillMsPerToken: costOf(prompts, costs, prefill) };
  const moves = [...ofKind("copy"), ...ofKind("warm store")];
  for (let round = 0; round < rounds && moves.length > 0; round += 1) {
    costs = { ...costs, copyMs: costOf(moves, costs, copy) };
    costs = { ...costs, saveMsPerToken: costOf(moves, costs, save) };
    costs = { ...costs, restoreMsPerToken: costOf(moves, costs, restore) };
  }
  const kinds = stepKinds.map((kind) => kindFit(kind, ofKind(kind), costs)).filter(({ steps }) => steps > 0);
  return { costs, kinds };
}

export function kindOf({ promptTokens, copies, savedTokens, restoredTokens }: StepSample): StepKind {
  if (savedTokens + restoredTokens > 0) return "warm store";
  if (copies > 0) return "copy";
  return promptTokens > 0 ? "prompt" : "decode";
}

/** One cost and how often a step pays it. */
interface Term {
  of(costs: CostProfile): number;
  count(sample: StepSample): number;
}

const prefill: Term = { of: (costs) => costs.prefillMsPerToken, count: (sample) => sample.promptTokens };
const copy: Term = { of: (costs) => costs.copyMs, count: (sample) => sample.copies };
const save: Term = { of: (costs) => costs.saveMsPerToken ?? 0, count: (sample) => sample.savedTokens };
const restore: Term = { of: (costs) => costs.restoreMsPerToken ?? 0, count: (sample) => sample.restoredTokens };
const terms = [prefill, copy, save, restore];

function predictedMs(sample: StepSample, costs: CostProfile): Milliseconds {
  const counted = terms.reduce((sum, term) => sum + term.of(costs) * term.count(sample), 0);
  return stepSeconds(costs, sample.decoding) * 1000 + counted;
}

/** What one of the term's units costs, given all others; a step with more units says more. */
function costOf(samples: readonly StepSample[], costs: CostProfile, term: Term): number {
  const seen = samples.flatMap((sample) => {
    const count = term.count(sample);
    if (count === 0) return [];
    const restMs = sample.durationMs - predictedMs(sample, costs) + term.of(costs) * count;
    return [{ value: Math.max(0, restMs / count), weight: count }];
  });
  return seen.length === 0 ? term.of(costs) : weightedMedian(seen);
}

function kindFit(kind: StepKind, samples: readonly StepSample[], costs: CostProfile): KindFit {
  const errors = samples.map((sample) => {
    const { durationMs } = sample;
    return { value: Math.abs(predictedMs(sample, costs) - durationMs) / Math.max(durationMs, 1e-9), weight: 1 };
  });
  return { kind, steps: samples.length, medianError: errors.length === 0 ? 0 : weightedMedian(errors) };
}
