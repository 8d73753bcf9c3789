/**
 * Keeps the cost profile true while the app runs: the calibration saw an idle machine for two seconds, the batches see
 * the real one. Running means that follow slowly, so that one disturbed batch changes little.
 */
import type { Batch, CostProfile } from "../contract/engine";
import type { Milliseconds } from "../contract/ids";
import { stepSeconds } from "./cost";

/** Weight of one batch, and how far one batch may pull: a stalled machine is not a new machine. */
const share = 0.1;
const pullMax = 2;
/** Batches with fewer prompt tokens say little about the cost of one. */
const promptTokensMin = 32;

export function learnCosts(costs: CostProfile, batch: Batch, durationMs: Milliseconds): CostProfile {
  if (batch.operations.some((operation) => operation.kind !== "cut")) return costs;
  const decoding = batch.work.filter(({ tokens }) => tokens.length === 1).length;
  const promptTokens = batch.work.reduce((sum, { tokens }) => sum + (tokens.length > 1 ? tokens.length : 0), 0);
  if (promptTokens === 0) return withStep(costs, decoding, durationMs);
  if (promptTokens < promptTokensMin) return costs;
  const perToken = (durationMs - stepSeconds(costs, decoding) * 1000) / promptTokens;
  return { ...costs, prefillMsPerToken: follow(costs.prefillMsPerToken, perToken) };
}

function withStep(costs: CostProfile, sequences: number, durationMs: Milliseconds): CostProfile {
  const known = costs.stepMs[sequences - 1];
  if (known === undefined) return costs;
  const stepMs = [...costs.stepMs];
  stepMs[sequences - 1] = follow(known, durationMs);
  return { ...costs, stepMs };
}

function follow(known: number, seen: number): number {
  const bounded = Math.min(known * pullMax, Math.max(known / pullMax, seen));
  return known + share * (bounded - known);
}
