import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/sim/random";
import { simulate } from "../../core/sim/simulate";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { emptyView, foldEvent } from "../../core/view/fold";
import { defaultHistoryLimits, History, viewFolding } from "../../core/view/history";
import type { LiveView } from "../../core/view/view";
import { toViewEvent, type ViewEvent } from "../../core/view/view-event";
import { slotEngine, smallCrewWorkload } from "../support/workloads";

const events: ViewEvent[] = [];
simulate({
  state: emptyState("topas"),
  config: defaultConfig,
  engine: slotEngine(4, 2048),
  workload: smallCrewWorkload(seededRandom(7)),
  watch: (_, happened) => void events.push(...happened.map(toViewEvent)),
});
const views: LiveView[] = [emptyView("topas")];
for (const event of events) views.push(foldEvent(views.at(-1) as LiveView, event));

const limits = { ...defaultHistoryLimits, keyframeEvery: 16 };
function historyOf(kept: readonly ViewEvent[], start = views[0] as LiveView, some = limits) {
  const history = new History(start, viewFolding, some);
  for (const event of kept) history.add(event);
  return history;
}

describe("the history", () => {
  it("shows every kept moment as folding from the beginning does, in any order", () => {
    const history = historyOf(events);
    expect(history.lastNumber).toBe(events.length);
    fc.assert(
      fc.property(fc.array(fc.nat(events.length), { maxLength: 20 }), (numbers) => {
        for (const number of numbers) expect(history.momentAt(number)).toEqual(views[number]);
      }),
      { numRuns: 60 },
    );
  });

  it("gives the events between two numbers, both included, and nothing outside of what it keeps", () => {
    const history = historyOf(events);
    expect(history.eventsBetween(15, 40).map(({ number }) => number)).toEqual(
      events.slice(14, 40).map((e) => e.number),
    );
    expect(history.eventsBetween(-5, 2)).toEqual(events.slice(0, 2));
    expect(history.eventsBetween(events.length + 1, events.length + 9)).toEqual([]);
    expect(history.eventAt(17)).toBe(events[16]);
  });

  it("forgets the oldest segments when it has too many events, and still shows the rest", () => {
    const history = historyOf(events, views[0], { ...limits, eventsMax: 100 });
    expect(history.size.events).toBeLessThanOrEqual(100);
    expect(history.firstNumber).toBeGreaterThan(events.length - 120);
    expect(history.momentAt(history.firstNumber)).toEqual(views[history.firstNumber]);
    expect(history.momentAt(0)).toEqual(views[history.firstNumber]);
    expect(history.decisionFrom(0, 1)).toBeGreaterThan(history.firstNumber);
  });

  it("keeps within its bytes", () => {
    const history = historyOf(events, views[0], { ...limits, bytesMax: 60_000 });
    expect(history.size.bytes).toBeLessThanOrEqual(60_000);
    expect(history.size.events).toBeGreaterThan(16);
  });

  it("finds decisions before and after an event", () => {
    const history = historyOf(events);
    const decided = events.filter(({ kind }) => kind === "decision.made").map(({ number }) => number);
    const [first, second] = decided as [number, number];
    expect(history.decisionFrom(first, -1)).toBeNull();
    expect(history.decisionFrom(second, -1)).toBe(first);
    expect(history.decisionFrom(first, 1)).toBe(second);
    expect(history.decisionFrom(decided.at(-1) as number, 1)).toBeNull();
    expect(history.eventOfDecision(2)).toBe(second);
    expect(history.eventOfDecision(decided.length + 1)).toBeNull();
  });

  it("finds the last event at or before a time", () => {
    const history = historyOf(events);
    for (const atMs of [0, 1, 77.5, 1_000, 5_000, 1e9]) {
      const expected = events.findLast((event) => event.atMs <= atMs)?.number ?? 0;
      expect(history.numberAt(atMs)).toBe(expected);
    }
    expect(history.numberAt(-1)).toBe(0);
  });

  it("refuses a gap", () => {
    const history = historyOf(events.slice(0, 10));
    expect(() => history.add(events[20] as ViewEvent)).toThrow("does not follow");
    expect(history.add(events[3] as ViewEvent)).toBe(false);
  });
});
