/** Runs the scheduler against the simulated engine, in virtual time: the same `receive`, the same events, no clock. */
import type { CostProfile } from "../contract/engine";
import type { Milliseconds, RequestId } from "../contract/ids";
import type { SchedulerConfig } from "../topas/config";
import type { TopasEvent } from "../topas/events";
import type { Input, OutsideInput } from "../topas/inputs";
import { receive } from "../topas/receive";
import type { SchedulerState } from "../topas/state";
import { type OutputLengths, simulateBatch } from "./simulated-engine";

/** The world outside: what it sends at first, and what it sends because of what happened. */
export interface Workload {
  readonly first: readonly OutsideInput[];
  readonly lengths: OutputLengths;
  answer(event: TopasEvent): readonly OutsideInput[];
}

export interface Simulation {
  readonly state: SchedulerState;
  readonly config: SchedulerConfig;
  readonly costs: CostProfile;
  readonly slots: number;
  readonly slotTokens: number;
  readonly workload: Workload;
  /** Sees every input before it is taken and every event after. */
  readonly watch?: (input: Input, events: readonly TopasEvent[]) => void;
}

/** Ends when nothing is left to happen. Gives the time of the last event. */
export function simulate({ state, config, costs, slots, slotTokens, workload, watch }: Simulation): Milliseconds {
  const agenda: Input[] = [
    { origin: "engine", kind: "engine.ready", atMs: 0, slots, slotTokens, costs },
    ...workload.first,
  ];
  const generated = new Map<RequestId, number>();
  let lastMs = 0;
  while (agenda.length > 0) {
    const input = takeEarliest(agenda);
    const { events } = receive(state, input, config);
    watch?.(input, events);
    for (const event of events) {
      if (event.kind !== "alarm.set") lastMs = event.atMs;
      if (event.kind === "batch.started") {
        const result = simulateBatch(event.batch, costs, workload.lengths, generated);
        agenda.push({ origin: "engine", kind: "batch.finished", atMs: event.atMs + result.durationMs, result });
      }
      if (event.kind === "alarm.set") agenda.push({ origin: "clock", kind: "alarm.rang", atMs: event.forMs });
      agenda.push(...workload.answer(event));
    }
  }
  return lastMs;
}

/** First in, first out among inputs of one time. */
function takeEarliest(agenda: Input[]): Input {
  let at = 0;
  agenda.forEach((input, index) => {
    if (input.atMs < (agenda[at] as Input).atMs) at = index;
  });
  return agenda.splice(at, 1)[0] as Input;
}
