/** TOPAS against the best of the others, for each measure the best of its own. Policies that know the future do not count. */
import type { PolicyName } from "../../core/contract/policy-name";
import { offlinePolicies } from "../../core/policies/policies";
import type { PolicyRow } from "./report";

export interface Comparison {
  readonly bestBaselineMean: string;
  readonly bestBaselineP99: string;
  /** As fractions; negative is better. */
  readonly topasMeanChange: number;
  readonly topasP99Change: number;
}

/** Null without TOPAS or without anything to compare it with. */
export function compareTopas(rows: readonly PolicyRow[]): Comparison | null {
  const topas = rows.find(({ policy }) => policy === "topas");
  const baselines = rows.filter(({ policy }) => isBaseline(policy));
  const [first] = baselines;
  if (topas === undefined || first === undefined) return null;
  const bestMean = baselines.reduce((best, row) => (row.meanJctS < best.meanJctS ? row : best), first);
  const bestP99 = baselines.reduce((best, row) => (row.p99JctS < best.p99JctS ? row : best), first);
  return {
    bestBaselineMean: bestMean.policy,
    bestBaselineP99: bestP99.policy,
    topasMeanChange: topas.meanJctS / bestMean.meanJctS - 1,
    topasP99Change: topas.p99JctS / bestP99.p99JctS - 1,
  };
}

function isBaseline(policy: string): boolean {
  return !policy.startsWith("topas") && !offlinePolicies.includes(policy as PolicyName);
}
