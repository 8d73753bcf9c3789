/** The figures as text for the terminal. */
import { columns } from "../demo/table";
import { compareTopas } from "./compare";
import type { PolicyRow, Report } from "./report";

export function reportText(report: Report): string {
  const { workload, profile, pool, rate, seeds, tasks, capacityPerS, arrivalsPerS, policies } = report;
  const holds =
    pool.kind === "slots"
      ? `${pool.slots} slots of ${count(pool.slotTokens)} tokens`
      : `${count(pool.budgetTokens)} tokens`;
  const tier = pool.ramTierTokens > 0 ? `, ${count(pool.ramTierTokens)} in RAM` : "";
  const runs = `${tasks} tasks, ${seeds} ${seeds === 1 ? "seed" : "seeds"}`;
  const load = `${arrivalsPerS.toPrecision(3)} tasks/s, ${percent(rate)} of its capacity of ${capacityPerS.toPrecision(3)}`;
  const lines = [`${workload} on ${profile} (${holds}${tier}), ${runs}, at ${load}`, policyTable(policies)];
  const change = compareTopas(policies);
  if (change !== null) {
    const { bestBaselineMean, bestBaselineP99, topasMeanChange, topasP99Change } = change;
    lines.push(
      `  topas against the best of the others: mean ${signed(topasMeanChange)} (${bestBaselineMean}), ` +
        `p99 ${signed(topasP99Change)} (${bestBaselineP99})`,
    );
  }
  return lines.join("\n");
}

function policyTable(rows: readonly PolicyRow[]): string {
  const head = [
    "policy",
    "mean JCT",
    "p99 JCT",
    "growth",
    "tasks/s",
    "hits",
    "restored",
    "moved",
    "preempted",
    "decision",
    "p99",
  ];
  return columns([
    head,
    ...rows.map((row) => [
      row.policy,
      `${row.meanJctS.toFixed(2)}${interval(row.meanJctCiS)} s`,
      `${row.p99JctS.toFixed(2)}${interval(row.p99JctCiS)} s`,
      `${row.jctGrowth.toFixed(1)}x`,
      row.throughputPerS.toPrecision(3),
      percent(row.hitRate),
      percent(row.restoredRate),
      count(Math.round(row.movedTokens)),
      row.preemptions.toFixed(1),
      milliseconds(row.decisionMsMean),
      milliseconds(row.decisionMsP99),
    ]),
  ]);
}

export function signed(fraction: number): string {
  return `${fraction > 0 ? "+" : ""}${(100 * fraction).toFixed(1)} %`;
}

const percent = (fraction: number) => `${(100 * fraction).toFixed(0)} %`;
const interval = (half: number | null) => (half === null ? "" : ` ± ${half.toFixed(2)}`);
const milliseconds = (ms: number | null) => (ms === null ? "-" : `${ms.toFixed(3)} ms`);
const count = (tokens: number) => tokens.toLocaleString("en-US");
