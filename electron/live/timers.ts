/** Time as the live parts use it; tests move it by hand. */
import type { Milliseconds } from "../../core/contract/ids";

export interface Timers {
  /** Milliseconds since the server started; never runs backwards. */
  now(): Milliseconds;
  /** Calls once after so long; the returned function takes it back. */
  after(delayMs: Milliseconds, call: () => void): () => void;
}

export function realTimers(): Timers {
  const startedAtMs = performance.now();
  return {
    now: () => performance.now() - startedAtMs,
    after(delayMs, call) {
      const timer = setTimeout(call, Math.max(0, delayMs));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
