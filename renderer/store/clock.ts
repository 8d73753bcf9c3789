/**
 * The server's clock as the page sees it. It ticks ten times a second and only while something on screen shows a running
 * time; nothing else may start a timer for that. While a past moment is shown it stands still at that moment.
 */
import type { Milliseconds } from "../../core/contract/ids";

export interface Clock {
  /** The time of the moment that is shown. */
  now(): Milliseconds;
  /** The server's time, whatever is shown. */
  serverNow(): Milliseconds;
  /** The server said what time it is. */
  set(nowMs: Milliseconds): void;
  /** Stands still at that time; null lets it run again. */
  hold(atMs: Milliseconds | null): void;
  /** Calls back at each tick; returns how to stop. */
  subscribe(onTick: () => void): () => void;
}

const TICK_MS = 100;

export function createClock(readMs: () => number = () => performance.now()): Clock {
  let offsetMs = -readMs();
  let heldMs: Milliseconds | null = null;
  let timer: ReturnType<typeof setInterval> | null = null;
  const listeners = new Set<() => void>();
  const tick = () => {
    for (const listener of listeners) listener();
  };
  const serverNow = () => Math.max(0, readMs() + offsetMs);
  return {
    now: () => heldMs ?? serverNow(),
    serverNow,
    set: (nowMs) => {
      offsetMs = nowMs - readMs();
    },
    hold: (atMs) => {
      heldMs = atMs;
      tick();
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
