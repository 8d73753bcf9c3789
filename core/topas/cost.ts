/** Seconds from the calibrated profile. */
import type { CostProfile } from "../contract/engine";
import type { Seconds } from "../contract/ids";
import type { PrefixSource } from "./decision";

export function prefillSeconds(costs: CostProfile, tokens: number): Seconds {
  return (Math.max(0, tokens) * costs.prefillMsPerToken) / 1000;
}

/** How much longer a step takes with one more sequence beside `sequences`; never more than a step of its own. */
export function addedStepSeconds(costs: CostProfile, sequences: number): Seconds {
  const added = stepSeconds(costs, sequences + 1) - stepSeconds(costs, sequences);
  return Math.min(stepSeconds(costs, 1), Math.max(0, added));
}

/** One decode step with so many sequences; beyond what was measured it goes on as the last two points did. */
export function stepSeconds(costs: CostProfile, sequences: number): Seconds {
  if (sequences <= 0) return 0;
  const measured = costs.stepMs.length;
  const last = costs.stepMs[measured - 1] ?? 0;
  if (sequences <= measured) return (costs.stepMs[sequences - 1] ?? last) / 1000;
  const slope = measured > 1 ? last - (costs.stepMs[measured - 2] ?? last) : last;
  return (last + slope * (sequences - measured)) / 1000;
}

export function copySeconds(costs: CostProfile): Seconds {
  return costs.copyMs / 1000;
}

export function restoreSeconds(costs: CostProfile, tokens: number): Seconds {
  return (tokens * (costs.restoreMsPerToken ?? 0)) / 1000;
}

export function saveSeconds(costs: CostProfile, tokens: number): Seconds {
  return (tokens * (costs.saveMsPerToken ?? 0)) / 1000;
}

/** Time to bring the part of an agent's prefix that is missing into a slot. */
export function moveSeconds(costs: CostProfile, prefixTokens: number, source: PrefixSource): Seconds {
  const copy = source.kind === "fork" ? copySeconds(costs) : 0;
  const restore = source.kind === "restore" ? restoreSeconds(costs, source.tokens) : 0;
  return copy + restore + prefillSeconds(costs, prefixTokens - source.tokens);
}
