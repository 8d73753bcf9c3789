/**
 * The server's clock as the page sees it. It ticks ten times a second and only while something on screen shows a running
 * time; nothing else may start a timer for that.
 */
import type { Milliseconds } from "../../core/contract/ids";

export interface Clock {
  now(): Milliseconds;
  /** The server said what time it is. */
  set(nowMs: Milliseconds): void;
  /** Calls back at each tick; returns how to stop. */
  subscribe(onTick: () => void): () => void;
}

const TICK_MS = 100;

export function createClock(readMs: () => number = () => performance.now()): Clock {
  let offsetMs = -readMs();
  let timer: ReturnType<typeof setInterval> | null = null;
  const listeners = new Set<() => void>();
  const tick = () => {
    for (const listener of listeners) listener();
  };
  return {
    now: () => Math.max(0, readMs() + offsetMs),
    set: (nowMs) => {
      offsetMs = nowMs - readMs();
    },
    subscribe: (onTick) => {
      listeners.add(onTick);
      timer ??= setInterval(tick, TICK_MS);
      return () => {
        listeners.delete(onTick);
        if (listeners.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      };
    },
  };
}
