/** Runs the scheduler against the simulated engine, in virtual time: the same `receive`, the same events, no clock. */
import type { CostProfile } from "../contract/engine";
import type { Milliseconds } from "../contract/ids";
import type { SchedulerConfig } from "../topas/config";
import type { TopasEvent } from "../topas/events";
import type { Input, OutsideInput } from "../topas/inputs";
import { receive } from "../topas/receive";
import type { SchedulerState } from "../topas/state";
import { type OutputLengths, SimulatedEngine } from "./simulated-engine";

/** The world outside: what it sends at first, and what it sends because of what happened. */
export interface Workload {
  readonly first: readonly OutsideInput[];
  readonly lengths: OutputLengths;
  answer(event: TopasEvent): readonly OutsideInput[];
}

/** What the simulated engine is: as the scheduler hears of it with `engine.ready`. */
export interface EngineShape {
  readonly slots: number;
  readonly slotTokens: number;
  /** Tokens that all slots share (token pool); null: each slot has its own (slot pool). */
  readonly budgetTokens: number | null;
  /** Room of the warm store in RAM; 0: there is none. */
  readonly storeTokens: number;
  readonly costs: CostProfile;
}

export interface Simulation {
  readonly state: SchedulerState;
  readonly config: SchedulerConfig;
  readonly engine: EngineShape;
  readonly workload: Workload;
  /** Sees every input before it is taken and every event after. */
  readonly watch?: (input: Input, events: readonly TopasEvent[]) => void;
}

/** Ends when nothing is left to happen. Gives the time of the last event. */
export function simulate({ state, config, engine: shape, workload, watch }: Simulation): Milliseconds {
  const { slots, slotTokens, budgetTokens, storeTokens, costs } = shape;
  const pool = { ...(budgetTokens === null ? {} : { budgetTokens }), ...(storeTokens > 0 ? { storeTokens } : {}) };
  const agenda: Input[] = [
    { origin: "engine", kind: "engine.ready", atMs: 0, slots, slotTokens, ...pool, costs },
    ...workload.first,
  ];
  const engine = new SimulatedEngine(costs, workload.lengths);
  let lastMs = 0;
  for (let input = takeEarliest(agenda, engine); input !== null; input = takeEarliest(agenda, engine)) {
    const { events } = receive(state, input, config);
    watch?.(input, events);
    for (const event of events) {
      if (event.kind !== "alarm.set") lastMs = event.atMs;
      if (event.kind === "batch.started") engine.run(event.batch, event.atMs);
      if (event.kind === "batch.interrupted") engine.interrupt();
      if (event.kind === "alarm.set") agenda.push({ origin: "clock", kind: "alarm.rang", atMs: event.forMs });
      agenda.push(...workload.answer(event));
    }
  }
  return lastMs;
}

/** First in, first out among inputs of one time; the engine's own come after them. */
function takeEarliest(agenda: Input[], engine: SimulatedEngine): Input | null {
  let at = 0;
  agenda.forEach((input, index) => {
    if (input.atMs < (agenda[at] as Input).atMs) at = index;
  });
  const earliestMs = agenda[at]?.atMs ?? Number.POSITIVE_INFINITY;
  if (engine.endsAtMs !== null && engine.endsAtMs < earliestMs) return engine.endStep();
  return agenda.splice(at, 1)[0] ?? null;
}
