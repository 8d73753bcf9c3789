/** Numbers as the window writes them: always with their unit, times as "1.9 s" and "310 ms", counts as "1,210". */
import type { Bytes, Milliseconds, Seconds } from "../../core/contract/ids";

const counts = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function count(value: number): string {
  return counts.format(value).replace("-", "−");
}

/** "1 request", "4 requests" */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A time that is over: milliseconds below one second; a clock that was set back makes none that is below zero. */
export function duration(ms: Milliseconds): string {
  return ms < 999.5 ? `${Math.max(0, Math.round(ms))} ms` : age(ms);
}

/** A time that runs on: its unit does not change within the first minute and a half. */
export function age(ms: Milliseconds): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** Whole seconds, for a sentence that is read out. */
export function wholeSeconds(ms: Milliseconds): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return seconds < 100 ? `${seconds} s` : age(ms);
}

/** 0..1; rounded down, so that 100% means all of it. */
export function percent(share: number): string {
  return `${Math.floor(Math.min(1, Math.max(0, share)) * 100)}%`;
}

export function megabytes(bytes: Bytes): string {
  return bytes >= 9.95e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${count(bytes / 1e6)} MB`;
}

/** Scores are shown in whole milliseconds, with one more digit when they would round to zero. */
export function scoreMs(score: Seconds): string {
  const ms = score * 1_000;
  const text = ms !== 0 && Math.abs(ms) < 0.5 ? ms.toPrecision(1) : count(Math.round(ms));
  return text === "−0" ? "0" : text.replace("-", "−");
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** "worker#3", "worker#3 and worker#4", "a, b and c" */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
