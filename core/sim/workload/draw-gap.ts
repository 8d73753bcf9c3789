/** How long one pause is. */
import type { Milliseconds } from "../../contract/ids";
import type { Random } from "../random";
import type { Gap } from "./spec";

export function drawGap(gap: Gap, random: Random): Milliseconds {
  switch (gap.kind) {
    case "none":
      return 0;
    case "uniform":
      return gap.lowMs + random.next() * (gap.highMs - gap.lowMs);
    case "lognormal":
      return Math.min(gap.mostMs, gap.medianMs * Math.exp(gap.sigma * standardNormal(random)));
    default:
      return gap satisfies never;
  }
}

/** Box and Muller's transform; 1 - x keeps zero out of the logarithm. */
function standardNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
