/** Runs the scheduler against the simulated engine, in virtual time: the same `receive`, the same events, no clock. */
import type { CostProfile } from "../contract/engine";
import type { Milliseconds } from "../contract/ids";
import type { SchedulerConfig } from "../topas/config";
import type { TopasEvent } from "../topas/events";
import type { EngineInput, Input, OutsideInput } from "../topas/inputs";
import { receive } from "../topas/receive";
import type { SchedulerState } from "../topas/state";
import { Agenda } from "./agenda";
import { type OutputLengths, type OutputTokens, SimulatedEngine } from "./simulated-engine";

/** The world outside: what it sends at first, and what it sends because of what happened. */
export interface Workload {
  readonly first: readonly OutsideInput[];
  readonly lengths: OutputLengths;
  /** What the answers consist of, where later prompts repeat them; absent: tokens that mean nothing. */
  readonly tokens?: OutputTokens;
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

/** The engine's process ends and another one takes its place, with nothing in its KV cache. */
export interface EngineOutage {
  readonly lostAtMs: Milliseconds;
  readonly readyAtMs: Milliseconds;
}

export interface Simulation {
  readonly state: SchedulerState;
  readonly config: SchedulerConfig;
  readonly engine: EngineShape;
  readonly workload: Workload;
  /** When the engine is loaded; 0 where nothing is said. */
  readonly readyAtMs?: Milliseconds;
  readonly outages?: readonly EngineOutage[];
  /** The scheduler; another one only to watch the real one at work. */
  readonly receive?: typeof receive;
  /** Sees every input before it is taken and every event after. */
  readonly watch?: (input: Input, events: readonly TopasEvent[]) => void;
}

/** Ends when nothing is left to happen. Gives the time of the last event. */
export function simulate(simulation: Simulation): Milliseconds {
  const { state, config, workload, watch } = simulation;
  const schedule = simulation.receive ?? receive;
  const agenda = new Agenda();
  for (const input of [...engineInputs(simulation), ...workload.first]) agenda.add(input);
  const engine = new SimulatedEngine(simulation.engine.costs, workload.lengths, workload.tokens);
  let lastMs = 0;
  for (let input = takeEarliest(agenda, engine); input !== null; input = takeEarliest(agenda, engine)) {
    if (input.kind === "engine.lost" || input.kind === "engine.ready") engine.stop();
    const { events } = schedule(state, input, config);
    watch?.(input, events);
    for (const event of events) {
      if (event.kind !== "alarm.set") lastMs = event.atMs;
      if (event.kind === "batch.started") engine.run(event.batch, event.atMs);
      if (event.kind === "batch.interrupted") engine.interrupt();
      if (event.kind === "alarm.set") agenda.add({ origin: "clock", kind: "alarm.rang", atMs: event.forMs });
      for (const sent of workload.answer(event)) agenda.add(sent);
    }
  }
  return lastMs;
}

function engineInputs({ engine, readyAtMs = 0, outages = [] }: Simulation): EngineInput[] {
  const { slots, slotTokens, budgetTokens, storeTokens, costs } = engine;
  const pool = { ...(budgetTokens === null ? {} : { budgetTokens }), ...(storeTokens > 0 ? { storeTokens } : {}) };
  const ready = (atMs: Milliseconds): EngineInput => {
    return { origin: "engine", kind: "engine.ready", atMs, slots, slotTokens, ...pool, costs };
  };
  const reason = "The simulated engine was stopped.";
  const faults = outages.flatMap(({ lostAtMs, readyAtMs: atMs }): EngineInput[] => [
    { origin: "engine", kind: "engine.lost", atMs: lostAtMs, reason },
    ready(atMs),
  ]);
  return [ready(readyAtMs), ...faults];
}

/** The engine's own come after what else happens at one time. */
function takeEarliest(agenda: Agenda, engine: SimulatedEngine): Input | null {
  const earliestMs = agenda.nextAtMs ?? Number.POSITIVE_INFINITY;
  return engine.endsAtMs !== null && engine.endsAtMs < earliestMs ? engine.endStep() : agenda.take();
}
