/** One workload at one rate, beside what the paper found. */
import { compareTopas } from "../compare";
import type { PolicyRow, Report } from "../report";
import { paperNumbers } from "./paper-numbers";

export interface PaperRow {
  readonly workload: string;
  readonly rate: number;
  readonly arrivalsPerS: number;
  readonly bestBaselineMean: string;
  readonly bestBaselineP99: string;
  /** All changes are fractions; negative is better. */
  readonly topasMeanChange: number;
  readonly topasP99Change: number;
  readonly paperMeanChange: number;
  readonly paperP99Change: number;
  readonly policies: readonly PolicyRow[];
}

export function paperRow({ workload, rate, arrivalsPerS, policies }: Report): PaperRow {
  const paper = paperNumbers.find((numbers) => numbers.workload === workload);
  const change = compareTopas(policies);
  if (paper === undefined || change === null) throw new Error(`There is nothing to compare for ${workload}.`);
  const { meanChange: paperMeanChange, p99Change: paperP99Change } = paper;
  return { workload, rate, arrivalsPerS, ...change, paperMeanChange, paperP99Change, policies };
}
