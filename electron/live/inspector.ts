/**
 * Inspects decisions of the running server. Asking the planner again takes a while, so it is done in short pieces with the
 * server's own work between them; what was found is remembered, and only what happened since is looked up anew.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { expectations, type Records } from "../../core/inspect/foresee";
import { inspectInSteps } from "../../core/inspect/inspect";
import type { Inspection, InspectionResult } from "../../core/inspect/inspection";
import { type DecisionMoment, StateLog } from "../../core/inspect/state-log";
import type { SchedulerConfig } from "../../core/topas/config";
import type { Input } from "../../core/topas/inputs";
import type { SchedulerState } from "../../core/topas/state";

const rememberedMax = 64;
/** Longest time the server's other work waits for a piece. */
const pieceMs = 4;

interface Remembered {
  readonly moment: DecisionMoment;
  readonly inspection: Promise<Inspection>;
}

export class Inspector {
  readonly #log: StateLog;
  readonly #config: SchedulerConfig;
  readonly #records: Records;
  readonly #remembered = new Map<number, Remembered>();

  constructor(config: SchedulerConfig, records: Records) {
    this.#log = new StateLog(config);
    this.#config = config;
    this.#records = records;
  }

  /** Each input before it is taken, with the state as it is then. */
  note(input: Input, state: SchedulerState): void {
    this.#log.note(input, state);
  }

  async inspect(decision: number): Promise<InspectionResult> {
    const { kept, decisions } = this.#log;
    if (decision > decisions) return { kind: "not_made", decisions };
    const found = this.#remembered.get(decision) ?? this.#begin(decision);
    if (found === null) {
      return { kind: "forgotten", firstKept: kept?.first ?? decisions + 1, lastKept: kept?.last ?? decisions };
    }
    const inspection = await found.inspection;
    const { state, decision: made } = found.moment;
    const known = expectations(state, this.#config, made, this.#records);
    return { kind: "found", inspection: { ...inspection, expectations: known } };
  }

  #begin(decision: number): Remembered | null {
    const moment = this.#log.before(decision);
    if (moment === null) return null;
    const begun = { moment, inspection: inPieces(moment, this.#config, this.#records) };
    this.#remembered.set(decision, begun);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= rememberedMax) break;
      this.#remembered.delete(oldest);
    }
    return begun;
  }
}

async function inPieces(moment: DecisionMoment, config: SchedulerConfig, records: Records): Promise<Inspection> {
  const steps = inspectInSteps(moment, config, records);
  let untilMs = performance.now() + pieceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < untilMs) continue;
    await nextTurn();
    untilMs = performance.now() + pieceMs;
  }
}
