/** The live driver of the scheduler: feeds it inputs one after the other and hands every event on. Decides nothing itself. */
import type { Milliseconds } from "../../core/contract/ids";
import type { SchedulerConfig } from "../../core/topas/config";
import type { TopasEvent } from "../../core/topas/events";
import type { Input } from "../../core/topas/inputs";
import { receive } from "../../core/topas/receive";
import type { SchedulerState } from "../../core/topas/state";
import type { Timers } from "./timers";

/** An input whose time is the moment it is taken. */
export type TimelessInput = Input extends infer Each ? (Each extends Input ? Omit<Each, "atMs"> : never) : never;

export type EventListener = (event: TopasEvent) => void;

export interface Driver {
  feed(input: TimelessInput): void;
  /** Called with each input before its events. */
  onInput(listener: (input: Input) => void): void;
  /** The engine hears all events of an input before anyone else does: it works while the others write and draw. */
  onEngineEvent(listener: EventListener): void;
  onEvent(listener: EventListener): void;
  /** Time the last decisions took, in ms, newest last. */
  readonly decisionMs: readonly Milliseconds[];
}

const decisionTimesKept = 10_000;

export function createDriver(state: SchedulerState, config: SchedulerConfig, timers: Timers): Driver {
  const inputs: TimelessInput[] = [];
  const inputListeners: ((input: Input) => void)[] = [];
  const engineListeners: EventListener[] = [];
  const eventListeners: EventListener[] = [];
  const decisionMs: Milliseconds[] = [];
  let isBusy = false;

  function take(timeless: TimelessInput): void {
    const input = { ...timeless, atMs: timers.now() } as Input;
    for (const listener of inputListeners) listener(input);
    const startedAtMs = performance.now();
    const { events } = receive(state, input, config);
    const decisions = events.filter((event) => event.kind === "decision.made").length;
    if (decisions > 0) noteDecisions((performance.now() - startedAtMs) / decisions, decisions);
    for (const event of events) for (const listener of engineListeners) listener(event);
    for (const event of events) {
      if (event.kind === "alarm.set") setAlarm(event.forMs);
      for (const listener of eventListeners) listener(event);
    }
  }

  function noteDecisions(eachMs: Milliseconds, count: number): void {
    for (let index = 0; index < count; index += 1) decisionMs.push(eachMs);
    if (decisionMs.length > decisionTimesKept) decisionMs.splice(0, decisionMs.length - decisionTimesKept);
  }

  let takeBackAlarm = () => {};
  function setAlarm(forMs: Milliseconds): void {
    takeBackAlarm();
    takeBackAlarm = timers.after(forMs - timers.now(), () => {
      // Node's timers may ring a few milliseconds early; the scheduler asks for each alarm only once.
      if (timers.now() < forMs) setAlarm(forMs);
      else feed({ origin: "clock", kind: "alarm.rang" });
    });
  }

  /** A listener may feed: its input then waits until all have heard the present events. */
  function feed(input: TimelessInput): void {
    inputs.push(input);
    if (isBusy) return;
    isBusy = true;
    try {
      for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) take(next);
    } finally {
      isBusy = false;
    }
  }

  return {
    feed,
    onInput: (listener) => void inputListeners.push(listener),
    onEngineEvent: (listener) => void engineListeners.push(listener),
    onEvent: (listener) => void eventListeners.push(listener),
    decisionMs,
  };
}
