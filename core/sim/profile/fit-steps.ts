/** The curve of decode steps: medians where there are steps, the calibrated shape where there are none, never falling. */
import type { CostProfile } from "../../contract/engine";
import type { Milliseconds } from "../../contract/ids";
import { stepSeconds } from "../../topas/cost";
import { weightedMedian } from "./median";
import type { StepSample } from "./step-samples";

interface Point {
  readonly ms: Milliseconds;
  readonly weight: number;
}

/** Points that were not seen weigh next to nothing against those that were. */
const unseenWeight = 1e-6;

/** `decodes` = steps that did nothing but decode. */
export function fitSteps(decodes: readonly StepSample[], known: CostProfile): readonly Milliseconds[] {
  const durations = new Map<number, number[]>();
  for (const { decoding, durationMs } of decodes) {
    const ofCount = durations.get(decoding);
    if (ofCount === undefined) durations.set(decoding, [durationMs]);
    else ofCount.push(durationMs);
  }
  durations.delete(0);
  if (durations.size === 0) return known.stepMs;
  const knownMs = (sequences: number) => 1000 * stepSeconds(known, sequences);
  const ratios = [...durations].map(([sequences, ms]) => {
    const middle = weightedMedian(ms.map((value) => ({ value, weight: 1 })));
    return { sequences, ratio: middle / knownMs(sequences), weight: ms.length };
  });
  ratios.sort((a, b) => a.sequences - b.sequences);
  const most = Math.max(known.stepMs.length, ...durations.keys());
  const points = Array.from({ length: most }, (_, index): Point => {
    const sequences = index + 1;
    const seen = ratios.find((entry) => entry.sequences === sequences);
    const ratio = seen?.ratio ?? ratioBetween(ratios, sequences);
    return { ms: ratio * knownMs(sequences), weight: seen?.weight ?? unseenWeight };
  });
  return neverFalling(points);
}

/** How far from the calibrated value, between the nearest counts that were seen. */
function ratioBetween(seen: readonly { sequences: number; ratio: number }[], sequences: number): number {
  const below = seen.findLast((entry) => entry.sequences < sequences);
  const above = seen.find((entry) => entry.sequences > sequences);
  if (below === undefined || above === undefined) return (below ?? above)?.ratio ?? 1;
  const share = (sequences - below.sequences) / (above.sequences - below.sequences);
  return below.ratio + share * (above.ratio - below.ratio);
}

/** Neighbours that fall are put together at their mean (pool adjacent violators), so that no outlier lifts all after it. */
function neverFalling(points: readonly Point[]): Milliseconds[] {
  const groups: { ms: number; weight: number; count: number }[] = [];
  for (const { ms, weight } of points) {
    let group = { ms, weight, count: 1 };
    for (let last = groups.at(-1); last !== undefined && last.ms > group.ms; last = groups.at(-1)) {
      groups.pop();
      const together = last.weight + group.weight;
      const mean = (last.ms * last.weight + group.ms * group.weight) / together;
      group = { ms: mean, weight: together, count: last.count + group.count };
    }
    groups.push(group);
  }
  return groups.flatMap(({ ms, count }) => new Array<number>(count).fill(ms));
}
