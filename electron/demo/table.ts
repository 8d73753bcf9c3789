/** The demo's figures as text for the terminal. */
import type { DemoRun } from "./run-demo";

export function runTable(run: DemoRun): string {
  const rows = run.tasks.map((task) => [
    task.task,
    seconds(task.arrivedAtMs),
    seconds(task.jctMs),
    String(task.failedRequests),
  ]);
  const share = (tokens: number) =>
    `${count(tokens)} (${Math.round((100 * tokens) / Math.max(1, run.promptTokens))} %)`;
  return [
    columns([["task", "arrived", "JCT", "failed"], ...rows]),
    "",
    columns([
      ["mean JCT", seconds(run.meanJctMs)],
      ["p99 JCT", seconds(run.p99JctMs)],
      ["prompt tokens", count(run.promptTokens)],
      ["  computed", share(run.computedTokens)],
      ["  reused in place", share(run.reusedTokens)],
      ["  forked", share(run.forkedTokens)],
      ["decisions", count(run.decisions)],
      ["decision time", `${run.decisionMsP50.toFixed(2)} ms median, ${run.decisionMsP99.toFixed(2)} ms p99`],
    ]),
  ].join("\n");
}

/** The later runs against the first. */
export function comparison(runs: readonly DemoRun[]): string {
  const [first, ...others] = runs;
  if (first === undefined) return "";
  const against = (now: number, before: number) => {
    const change = before === 0 ? 0 : Math.round((100 * (now - before)) / before);
    return `${change > 0 ? "+" : ""}${change} %`;
  };
  return columns([
    ["", first.policy, ...others.flatMap((run) => [run.policy, "change"])],
    [
      "mean JCT",
      seconds(first.meanJctMs),
      ...others.flatMap((run) => [seconds(run.meanJctMs), against(run.meanJctMs, first.meanJctMs)]),
    ],
    [
      "p99 JCT",
      seconds(first.p99JctMs),
      ...others.flatMap((run) => [seconds(run.p99JctMs), against(run.p99JctMs, first.p99JctMs)]),
    ],
    [
      "computed tokens",
      count(first.computedTokens),
      ...others.flatMap((run) => [count(run.computedTokens), against(run.computedTokens, first.computedTokens)]),
    ],
  ]);
}

/** First column to the left, the others to the right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("   ");
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join("\n");
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const count = (value: number) => value.toLocaleString("en-US");
