import { describe, expect, test } from "vitest";
import { seededRandom } from "../../core/sim/random";
import { simulate } from "../../core/sim/simulate";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { emptyView } from "../../core/view/fold";
import { foldMoment, type Moment, momentOf } from "../../core/view/moment";
import { EventSharing } from "../../core/view/share-event";
import { toViewEvent, type ViewEvent } from "../../core/view/view-event";
import { ACTS, actOf, keyName } from "../../renderer/acts/act-list";
import { laneBoxes, timeAt, timeScale, xOf } from "../../renderer/panels/lanes/lanes-layout";
import { createClock } from "../../renderer/store/clock";
import { Backlog, createHistory } from "../../renderer/store/kept-history";
import { createLiveStore } from "../../renderer/store/live-store";
import {
  goBack,
  goForward,
  goLive,
  goTo,
  pauseOrGoOn,
  select,
  step,
  stepDecision,
} from "../../renderer/store/navigate";
import { slotEngine, smallCrewWorkload } from "../support/workloads";
import { readyStatus } from "./made-up/ready-status";

const start = momentOf(emptyView("topas"));
const events: ViewEvent[] = [];
simulate({
  state: emptyState("topas"),
  config: defaultConfig,
  engine: slotEngine(2, 2_048),
  workload: smallCrewWorkload(seededRandom(7)),
  watch: (_, made) => events.push(...made.map(toViewEvent)),
});
const moments: Moment[] = [start];
for (const event of events) moments.push(foldMoment(moments.at(-1) as Moment, event));

function filled() {
  const history = createHistory(start);
  for (const event of events) history.add(event);
  return history;
}

describe("what came before the page", () => {
  const half = events.length >> 1;
  const view = (moments[half] as Moment).view;

  test("its pieces become one history with what came since, and every moment is the one that was shown then", () => {
    const since = createHistory(momentOf(view));
    const backlog = new Backlog(view, new EventSharing());
    expect(backlog.add({ kind: "backlog", start: start.view, events: events.slice(0, 100) }, since)).toBeNull();
    for (const event of events.slice(half)) since.add(event);
    const whole = backlog.add({ kind: "backlog", start: null, events: events.slice(100, half) }, since);
    expect(whole).toMatchObject({ firstNumber: 0, lastNumber: events.length });
    for (let number = 0; number <= events.length; number += 7) expect(whole?.momentAt(number)).toEqual(moments[number]);
  });
});

describe("the lanes", () => {
  test("spans of a slot never overlap, and one is prefill exactly while its request has no token", () => {
    const { lanes } = moments.at(-1) as Moment;
    expect(lanes.over.length).toBeGreaterThan(4);
    for (const slot of [0, 1]) {
      const own = lanes.over.filter((span) => span.slot === slot);
      for (const [index, span] of own.slice(1).entries())
        expect(span.fromMs).toBeGreaterThanOrEqual(own[index]?.toMs ?? 0);
    }
    for (const { view, lanes: then } of moments)
      for (const span of then.open)
        if (span !== null && span.requestId !== null) {
          const request = view.requests[span.requestId];
          expect(span.kind).toBe(request?.firstTokenAtMs === null ? "prefill" : "decode");
        }
  });

  test("there is a mark for each decision, and places and times turn into each other", () => {
    const { lanes, view } = moments.at(-1) as Moment;
    const made = events.filter((event) => event.kind === "decision.made" && event.atMs >= view.atMs - 50_000);
    expect(lanes.marks.filter((mark) => mark.atMs >= view.atMs - 50_000)).toHaveLength(made.length);
    const scale = timeScale(900, view.atMs, 8_000);
    expect(timeAt(scale, xOf(scale, view.atMs - 3_000))).toBeCloseTo(view.atMs - 3_000);
    for (const box of laneBoxes(lanes, scale)) expect(box.x + box.width).toBeLessThanOrEqual(900);
  });
});

describe("cursor and selection", () => {
  function looking() {
    const history = filled();
    const { view, lanes } = history.momentAt(history.lastNumber);
    const clock = createClock(() => 0);
    return { store: createLiveStore({ view, lanes, history, status: readyStatus }), clock };
  }

  test("a step pauses one event back and the clock stands at that event", () => {
    const at = looking();
    step(at, -1);
    expect(at.store.getState().view).toEqual(moments[events.length - 1]?.view);
    expect(at.clock.now()).toBe(at.store.getState().view.atMs);
    goLive(at);
    expect(at.store.getState()).toMatchObject({ cursor: null, view: { eventNumber: events.length } });
  });

  test("J and K go from decision to decision", () => {
    const at = looking();
    stepDecision(at, -1);
    const last = at.store.getState().view.lastDecision?.number ?? 0;
    stepDecision(at, -1);
    expect(at.store.getState().view.lastDecision?.number).toBe(last - 1);
    stepDecision(at, 1);
    expect(at.store.getState().view.lastDecision?.number).toBe(last);
  });

  test("back and forward go through what was selected, with the moment it was selected at", () => {
    const at = looking();
    select(at, "request:a");
    goTo(at, 40);
    select(at, "request:b");
    goBack(at);
    expect(at.store.getState()).toMatchObject({ selected: "request:a", cursor: 40 });
    goForward(at);
    expect(at.store.getState()).toMatchObject({ selected: "request:b", cursor: 40 });
    pauseOrGoOn(at);
    expect(at.store.getState().cursor).toBeNull();
  });
});

test("no key stands for two acts, and keys are told as they are pressed", () => {
  const keys = ACTS.flatMap((act) => act.keys);
  expect(new Set(keys).size).toBe(keys.length);
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  expect(actOf(keyName({ ...none, key: "k", metaKey: true }))?.words).toBe("Command palette");
  expect(actOf(keyName({ ...none, key: "?", shiftKey: true }))?.words).toBe("All keys");
  expect(actOf(keyName({ ...none, key: "ArrowLeft", shiftKey: true }))?.words).toBe("Decision before");
});
