/** One call of `receive`: gives numbers and times to the events and lets each change the state before the next is made. */
import type { SchedulerConfig } from "./config";
import type { EventBody, TopasEvent } from "./events";
import { evolve } from "./evolve";
import type { SchedulerState } from "./state";

export interface Turn {
  readonly state: SchedulerState;
  readonly config: SchedulerConfig;
  readonly events: TopasEvent[];
  emit(body: EventBody): void;
}

/** Time never runs backwards, even if an input was held up on its way. */
export function startTurn(state: SchedulerState, config: SchedulerConfig, atMs: number): Turn {
  const events: TopasEvent[] = [];
  const nowMs = Math.max(state.nowMs, atMs);
  state.nowMs = nowMs;
  return {
    state,
    config,
    events,
    emit(body) {
      const event: TopasEvent = { ...body, number: state.eventNumber + 1, atMs: nowMs };
      events.push(event);
      evolve(state, event);
    },
  };
}
