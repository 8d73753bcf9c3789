/** The paper's table with ours beside it, as text for the terminal. */
import { columns } from "../../demo/table";
import { signed } from "../tables";
import type { PaperRow } from "./paper-row";

export function paperTable(rows: readonly PaperRow[]): string {
  const head = ["workload", "rate", "tasks/s", "mean JCT", "paper", "p99 JCT", "paper", "best mean", "best p99"];
  return columns([
    head,
    ...rows.map((row) => [
      row.workload,
      row.rate.toFixed(2),
      row.arrivalsPerS.toPrecision(3),
      signed(row.topasMeanChange),
      signed(row.paperMeanChange),
      signed(row.topasP99Change),
      signed(row.paperP99Change),
      row.bestBaselineMean,
      row.bestBaselineP99,
    ]),
  ]);
}
