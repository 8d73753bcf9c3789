/** The middle of values of which some count more than others. */
export interface Weighted {
  readonly value: number;
  /** More than 0. */
  readonly weight: number;
}

/** Between the two middle ones where they share the weight evenly. Throws for no values. */
export function weightedMedian(values: readonly Weighted[]): number {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let before = 0;
  for (const [at, { value, weight }] of sorted.entries()) {
    before += weight;
    if (before > half) return value;
    if (before === half) return (value + (sorted[at + 1]?.value ?? value)) / 2;
  }
  throw new Error("There is no median of no values.");
}
