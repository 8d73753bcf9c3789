/**
 * Moments for the inspector's pictures and tests: the two crews in the simulator, so that view and inspection are one moment and
 * every figure is real. One decision of each kind that such a run has.
 */
import { inspect } from "../../../core/inspect/inspect";
import type { InspectedKind, Inspection } from "../../../core/inspect/inspection";
import { StateLog } from "../../../core/inspect/state-log";
import { seededRandom } from "../../../core/sim/random";
import { simulate } from "../../../core/sim/simulate";
import { defaultConfig } from "../../../core/topas/config";
import { emptyState } from "../../../core/topas/empty-state";
import { receive } from "../../../core/topas/receive";
import { emptyView, foldEvent } from "../../../core/view/fold";
import { foldRecord } from "../../../core/view/fold-record";
import type { RequestRecord } from "../../../core/view/request-record";
import type { LiveView } from "../../../core/view/view";
import { toViewEvent } from "../../../core/view/view-event";
import { slotEngine, smallCrewWorkload } from "../../support/workloads";

export interface InspectedMoment {
  readonly view: LiveView;
  readonly inspection: Inspection;
}

/** The richest decision of each kind: the one with most candidates and flips. */
export function inspectedMoments(seed = 4, slots = 4): ReadonlyMap<InspectedKind, InspectedMoment> {
  const state = emptyState("topas");
  const log = new StateLog(defaultConfig);
  const records = new Map<string, RequestRecord>();
  const views: LiveView[] = [];
  let view = emptyView("topas");
  simulate({
    state,
    config: defaultConfig,
    engine: slotEngine(slots, 2048),
    workload: smallCrewWorkload(seededRandom(seed)),
    receive(taken, input, config) {
      log.note(input, taken);
      return receive(taken, input, config);
    },
    watch(_, events) {
      for (const event of events) {
        foldRecord(records, event);
        view = foldEvent(view, toViewEvent(event));
        if (event.kind === "decision.made") views.push(view);
      }
    },
  });
  const moments = new Map<InspectedKind, InspectedMoment>();
  for (const seen of views) {
    const moment = log.before(seen.lastDecision?.number ?? 0);
    if (moment === null) continue;
    const inspection = inspect(moment, defaultConfig, records);
    const known = moments.get(inspection.kind);
    if (known === undefined || richness(inspection) > richness(known.inspection)) {
      moments.set(inspection.kind, { view: seen, inspection });
    }
  }
  return moments;
}

function richness({ candidates, flips, decided }: Inspection): number {
  return candidates.length + 2 * flips.list.length + decided.differences.length;
}
