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

/** Each run, and the later ones against the first. */
export function comparison(runs: readonly DemoRun[]): string {
  const [first] = runs;
  if (first === undefined) return "";
  const figures = (run: DemoRun, figure: (of: DemoRun) => number, words: (value: number) => string) => {
    const [now, before] = [figure(run), figure(first)];
    const change = before === 0 ? 0 : Math.round((100 * (now - before)) / before);
    return [words(now), run === first ? "" : `${change > 0 ? "+" : ""}${change} %`];
  };
  return columns([
    ["policy", "mean JCT", "change", "p99 JCT", "change", "computed tokens", "change"],
    ...runs.map((run) => [
      run.policy,
      ...figures(run, ({ meanJctMs }) => meanJctMs, seconds),
      ...figures(run, ({ p99JctMs }) => p99JctMs, seconds),
      ...figures(run, ({ computedTokens }) => computedTokens, count),
    ]),
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
