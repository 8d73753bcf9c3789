/** Means, quantiles and how sure they are. */

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value that `share` of the others do not exceed: the nearest one at or above the rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Half the width of the 95 % confidence interval of the mean (Student's t); null for a single value, which tells nothing. */
export function confidence(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  return studentT(values.length - 1) * Math.sqrt(variance / values.length);
}

/** 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom, from any statistics table. */
const studentTable = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/** Beyond the table by the first terms of its expansion around the normal quantile, right to three digits there. */
function studentT(degrees: number): number {
  const normal = 1.96;
  return studentTable[degrees - 1] ?? normal + (normal ** 3 + normal) / (4 * degrees);
}
