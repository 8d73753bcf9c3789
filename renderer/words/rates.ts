/** Tokens per second over the whole seconds up to now: seconds since the last event that counted had none. */
import type { Milliseconds } from "../../core/contract/ids";

/** `series` ends with the second `endSecond`; the second that `nowMs` lies in is not over and is left out. */
export function wholeSecondRates(series: readonly number[], endSecond: number, nowMs: Milliseconds): readonly number[] {
  const passed = Math.min(series.length, Math.max(0, Math.floor(nowMs / 1_000) - endSecond));
  const upToNow = [...series.slice(passed), ...new Array<number>(passed).fill(0)];
  return upToNow.slice(0, -1);
}
