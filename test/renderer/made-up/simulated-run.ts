/**
 * A run of the scheduler against the simulated engine, as the window hears of it: the events for the page, and any of its
 * decisions taken apart. So a picture is one moment in which every panel, lane and figure fits the others.
 */
import { inspect } from "../../../core/inspect/inspect";
import type { InspectionResult } from "../../../core/inspect/inspection";
import { StateLog } from "../../../core/inspect/state-log";
import { type EngineOutage, simulate, type Workload } from "../../../core/sim/simulate";
import { defaultConfig } from "../../../core/topas/config";
import { emptyState } from "../../../core/topas/empty-state";
import { receive } from "../../../core/topas/receive";
import { emptyView, foldEvent } from "../../../core/view/fold";
import { foldRecord } from "../../../core/view/fold-record";
import type { RequestRecord } from "../../../core/view/request-record";
import type { LiveView } from "../../../core/view/view";
import { toViewEvent, type ViewEvent } from "../../../core/view/view-event";
import { slotEngine } from "../../support/workloads";

export interface RunOptions {
  readonly workload: Workload;
  readonly slots?: number;
  readonly slotTokens?: number;
  readonly outages?: readonly EngineOutage[];
}

export interface SimulatedRun {
  readonly events: readonly ViewEvent[];
  /** The views right after each event. */
  readonly views: readonly LiveView[];
  inspection(decision: number): InspectionResult;
}

export function runInSimulator({ workload, slots = 4, slotTokens = 2_048, outages = [] }: RunOptions): SimulatedRun {
  const log = new StateLog(defaultConfig);
  const records = new Map<string, RequestRecord>();
  const events: ViewEvent[] = [];
  const views: LiveView[] = [];
  let view = emptyView("topas");
  simulate({
    state: emptyState("topas"),
    config: defaultConfig,
    engine: slotEngine(slots, slotTokens),
    workload,
    outages,
    receive(taken, input, config) {
      log.note(input, taken);
      return receive(taken, input, config);
    },
    watch(_, made) {
      for (const event of made) {
        foldRecord(records, event);
        const shown = toViewEvent(event);
        view = foldEvent(view, shown);
        events.push(shown);
        views.push(view);
      }
    },
  });
  return {
    events,
    views,
    inspection(decision) {
      const moment = log.before(decision);
      if (moment === null) return { kind: "forgotten", firstKept: decision + 1, lastKept: decision + 9 };
      return { kind: "found", inspection: inspect(moment, defaultConfig, records) };
    },
  };
}

/** The run up to the moment that scores most; ties go to the earliest. */
export function upTo(run: SimulatedRun, score: (view: LiveView) => number): { view: LiveView; events: ViewEvent[] } {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  run.views.forEach((view, index) => {
    const points = score(view);
    if (points > most) [best, most] = [index, points];
  });
  return { view: run.views[best] as LiveView, events: run.events.slice(0, best + 1) };
}
