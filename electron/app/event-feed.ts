/** Collects view events and hands them on about once a frame of the window; sleeps while nothing happens. */
import type { ViewEvent } from "../../core/view/view-event";
import type { EventBatch, StopListening } from "../ipc/window-app";
import type { RunningLive } from "../live/create-live";

const batchEveryMs = 16;

export interface EventFeed {
  listen(listener: (batch: EventBatch) => void): StopListening;
}

export function createEventFeed(live: Pick<RunningLive, "onViewEvent" | "timers">): EventFeed {
  const listeners = new Set<(batch: EventBatch) => void>();
  let pending: ViewEvent[] = [];

  function send(): void {
    const batch: EventBatch = { events: pending, nowMs: live.timers.now() };
    pending = [];
    for (const listener of listeners) listener(batch);
  }

  live.onViewEvent((event) => {
    if (listeners.size === 0) return;
    if (pending.length === 0) live.timers.after(batchEveryMs, send);
    pending.push(event);
  });

  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
