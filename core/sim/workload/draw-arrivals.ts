/** When the tasks come. */
import type { Milliseconds } from "../../contract/ids";
import type { Random } from "../random";
import { type Arrivals, meanOf } from "./spec";

export interface ArrivalOptions {
  readonly count: number;
  /** Of all tasks, also where they come in bursts; 0 = all at once. */
  readonly meanGapMs: Milliseconds;
  readonly random: Random;
}

/** In order. */
export function drawArrivals(
  arrivals: Arrivals,
  { count, meanGapMs, random }: ArrivalOptions,
): readonly Milliseconds[] {
  const times: Milliseconds[] = [];
  let atMs = 0;
  while (times.length < count) {
    const together = arrivals.kind === "bursts" ? random.between(...arrivals.tasks) : 1;
    const mean = arrivals.kind === "bursts" ? meanOf(arrivals.tasks) : 1;
    atMs += random.exponential(meanGapMs * mean);
    for (let index = 0; index < together && times.length < count; index += 1) times.push(atMs);
  }
  return times;
}
