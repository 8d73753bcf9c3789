import { expect, it } from "vitest";
import { seededRandom } from "../../core/sim/random";
import { simulate } from "../../core/sim/simulate";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { EventSharing } from "../../core/view/share-event";
import { toViewEvent, type ViewEvent } from "../../core/view/view-event";
import { slotEngine, smallCrewWorkload } from "../support/workloads";

it("events that share what they have in common are equal to what they were", () => {
  const events: ViewEvent[] = [];
  simulate({
    state: emptyState("topas"),
    config: defaultConfig,
    engine: slotEngine(4, 2048),
    workload: smallCrewWorkload(seededRandom(3)),
    watch: (_, happened) => void events.push(...happened.map(toViewEvent)),
  });
  const sharing = new EventSharing();
  const shared = events.map((event) => sharing.share(structuredClone(event)));
  expect(shared).toEqual(events);
  const lists = new Set(shared.flatMap((event) => (event.kind === "batch.stepped" ? [event.drawn] : [])));
  const steps = shared.filter(({ kind }) => kind === "batch.stepped").length;
  expect(lists.size).toBeLessThan(steps / 2);
});
