import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ViewEvent } from "../../core/view/view-event";
import { createClock } from "../../renderer/store/clock";
import { createLiveFeed } from "../../renderer/store/live-feed";
import type { LiveStore } from "../../renderer/store/live-store";
import { MOVED_SHOWN_MS, movedRows } from "../../renderer/store/moved-rows";
import { goTo } from "../../renderer/store/navigate";
import { busyView } from "./made-up/busy-view";
import { NOW_MS } from "./made-up/parts";
import { readyStatus } from "./made-up/ready-status";

function feed() {
  const frames: (() => void)[] = [];
  let store: LiveStore | null = null;
  const clock = createClock(() => 0);
  const receive = createLiveFeed({
    clock,
    onNextFrame: (show) => frames.push(show),
    onReady: (made) => {
      store = made;
    },
  });
  const drawFrame = () => {
    for (const show of frames.splice(0)) show();
  };
  const theStore = (): LiveStore => {
    if (store === null) throw new Error("The feed is not ready.");
    return store;
  };
  return { receive, frames, drawFrame, theStore, clock };
}

const policyChosen = (number: number, policy: "fcfs" | "topas"): ViewEvent => ({
  kind: "policy.chosen",
  policy,
  number,
  atMs: NOW_MS + number,
});

describe("the feed", () => {
  test("nothing is shown before the first snapshot", () => {
    const { receive, drawFrame, theStore } = feed();
    receive({ kind: "events", events: [policyChosen(1, "fcfs")], nowMs: NOW_MS });
    drawFrame();
    expect(theStore).toThrow("not ready");
  });

  test("many messages between two frames make one change of the store", () => {
    const { receive, frames, drawFrame, theStore } = feed();
    receive({ kind: "snapshot", view: busyView, status: readyStatus });
    drawFrame();
    const changes = vi.fn();
    theStore().subscribe(changes);
    for (let step = 1; step <= 50; step += 1) {
      const policy = step % 2 === 0 ? "topas" : "fcfs";
      receive({ kind: "events", events: [policyChosen(busyView.eventNumber + step, policy)], nowMs: NOW_MS });
    }
    expect(frames).toHaveLength(1);
    drawFrame();
    expect(changes).toHaveBeenCalledTimes(1);
    expect(theStore().getState().view.eventNumber).toBe(busyView.eventNumber + 50);
  });

  test("events that a snapshot already holds are not folded twice", () => {
    const { receive, drawFrame, theStore } = feed();
    receive({ kind: "snapshot", view: busyView, status: readyStatus });
    receive({ kind: "events", events: [policyChosen(busyView.eventNumber, "fcfs")], nowMs: NOW_MS });
    drawFrame();
    expect(theStore().getState().view.policy).toBe("topas");
  });

  test("a change of policy is remembered with the first decision it holds for", () => {
    const { receive, drawFrame, theStore } = feed();
    receive({ kind: "snapshot", view: busyView, status: readyStatus });
    drawFrame();
    receive({ kind: "events", events: [policyChosen(busyView.eventNumber + 1, "fcfs")], nowMs: NOW_MS });
    drawFrame();
    expect(theStore().getState().policySwitch).toMatchObject({ policy: "fcfs", fromDecision: 1_285 });
  });

  test("the time before a snapshot is added behind what is shown; who looks at a past moment stays there", () => {
    const { receive, drawFrame, theStore, clock } = feed();
    const earlier = { ...busyView, eventNumber: busyView.eventNumber - 2, policy: "lpm" as const };
    receive({ kind: "snapshot", view: busyView, status: readyStatus });
    receive({ kind: "events", events: [policyChosen(busyView.eventNumber + 1, "topas")], nowMs: NOW_MS });
    drawFrame();
    const parts = { store: theStore(), clock };
    goTo(parts, busyView.eventNumber);
    const before = [1, 0].map((back) => policyChosen(busyView.eventNumber - back, "fcfs"));
    receive({ kind: "backlog", start: earlier, events: before });
    drawFrame();
    expect(theStore().getState()).toMatchObject({ cursor: busyView.eventNumber });
    goTo(parts, 0);
    expect(theStore().getState()).toMatchObject({ cursor: earlier.eventNumber, view: { policy: "lpm" } });
    receive({ kind: "snapshot", view: busyView, status: readyStatus });
    drawFrame();
    expect(theStore().getState().cursor).toBeNull();
  });

  test("the clock follows the server", () => {
    const { receive, clock } = feed();
    receive({ kind: "snapshot", view: busyView, status: readyStatus });
    expect(clock.now()).toBe(NOW_MS);
    receive({ kind: "events", events: [], nowMs: NOW_MS + 700 });
    expect(clock.now()).toBe(NOW_MS + 700);
  });
});

describe("rows that moved", () => {
  const turned = {
    ...busyView,
    atMs: NOW_MS + 10,
    queue: [...busyView.queue].reverse().map((row, index) => ({ ...row, place: index + 1 })),
  };

  test("a row that moved remembers where it came from", () => {
    expect(movedRows({}, busyView, turned)).toMatchObject({
      "coder#2": { fromPlace: 1 },
      "tester#2": { fromPlace: 4 },
    });
  });

  test("it is kept over the next decision and forgotten after two seconds", () => {
    const moved = movedRows({}, busyView, turned);
    const soon = { ...turned, queue: [...turned.queue], atMs: turned.atMs + 100 };
    expect(movedRows(moved, turned, soon)).toEqual(moved);
    const late = { ...turned, queue: [...turned.queue], atMs: turned.atMs + MOVED_SHOWN_MS };
    expect(movedRows(moved, turned, late)).toEqual({});
  });
});

describe("the clock", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("it ticks only while someone listens", () => {
    const clock = createClock(() => 0);
    expect(vi.getTimerCount()).toBe(0);
    const tick = vi.fn();
    const stop = clock.subscribe(tick);
    const stopOther = clock.subscribe(() => undefined);
    vi.advanceTimersByTime(300);
    expect(tick).toHaveBeenCalledTimes(3);
    stop();
    stopOther();
    expect(vi.getTimerCount()).toBe(0);
  });
});
