/** Runs a seeded world with a state log beside it and keeps what a test compares with: events, records, the state itself. */
import { StateLog, type StateLogLimits } from "../../core/inspect/state-log";
import { simulate } from "../../core/sim/simulate";
import type { Decision } from "../../core/topas/decision";
import { emptyState } from "../../core/topas/empty-state";
import type { TopasEvent } from "../../core/topas/events";
import { evolve } from "../../core/topas/evolve";
import { receive } from "../../core/topas/receive";
import type { SchedulerState } from "../../core/topas/state";
import { foldRecord } from "../../core/view/fold-record";
import type { RequestRecord } from "../../core/view/request-record";
import type { SmallWorld } from "../sim/properties/small-world";

export interface InspectedWorld {
  readonly log: StateLog;
  readonly state: SchedulerState;
  readonly events: readonly TopasEvent[];
  readonly decisions: readonly Decision[];
  readonly records: Map<string, RequestRecord>;
  /** The true state before each decision, by its number; only with `keepsStates`. */
  readonly states: Map<number, SchedulerState>;
}

interface Watching {
  readonly limits?: StateLogLimits;
  readonly keepsStates?: boolean;
}

export function runInspected(world: SmallWorld, { limits, keepsStates = false }: Watching = {}): InspectedWorld {
  const { policy, config, engine, outages } = world;
  const state = emptyState(policy);
  const log = new StateLog(config, limits);
  const events: TopasEvent[] = [];
  const decisions: Decision[] = [];
  const records = new Map<string, RequestRecord>();
  const states = new Map<number, SchedulerState>();
  const shadow = emptyState(policy);
  simulate({
    state,
    config,
    engine,
    outages,
    workload: world.workload(),
    receive(taken, input, by) {
      log.note(input, taken);
      return receive(taken, input, by);
    },
    watch(_, caused) {
      events.push(...caused);
      for (const event of caused) {
        foldRecord(records, event);
        if (event.kind === "decision.made") {
          decisions.push(event.decision);
          if (keepsStates) states.set(event.decision.number, structuredClone(shadow));
        }
        if (keepsStates) evolve(shadow, structuredClone(event));
      }
    },
  });
  return { log, state, events, decisions, records, states };
}
