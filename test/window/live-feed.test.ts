import { describe, expect, test } from "vitest";
import type { AppStatus, PortMessage } from "../../core/contract/window";
import { emptyView } from "../../core/view/fold";
import { History, viewFolding } from "../../core/view/history";
import type { ViewEvent } from "../../core/view/view-event";
import { BACKLOG_PIECE_EVENTS, openLiveFeed, UNCONFIRMED_EVENTS_MAX } from "../../electron/ipc/live-feed";
import type { EventBatch, WindowApp } from "../../electron/ipc/window-app";

/** A server that has had `eventNumber` events and says what the test lets it say, and a page that answers when told to. */
function feedFrom(eventNumber: number, history = new History(emptyView("topas"), viewFolding)) {
  const eventListeners = new Set<(batch: EventBatch) => void>();
  const statusListeners = new Set<(status: AppStatus) => void>();
  const received: PortMessage[] = [];
  const probes: number[] = [];
  let view = { ...emptyView("topas"), eventNumber };
  const status = { version: "1" } as AppStatus;
  const app = {
    status,
    snapshot: () => view,
    history,
    onEvents(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onStatus(listener) {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
  } as Pick<WindowApp, "status" | "snapshot" | "history" | "onEvents" | "onStatus"> as WindowApp;
  const feed = openLiveFeed(app, { send: (message) => received.push(message), probe: (sent) => probes.push(sent) });
  return {
    feed,
    received,
    probes,
    listeners: () => eventListeners.size + statusListeners.size,
    happen(first: number, last: number) {
      const events = Array.from({ length: last - first + 1 }, (_, index): ViewEvent => {
        return { kind: "alarm.set", number: first + index, atMs: first + index };
      });
      view = { ...view, eventNumber: last };
      for (const listener of eventListeners) listener({ events, nowMs: last });
    },
    tellStatus() {
      for (const listener of statusListeners) listener(status);
    },
    answer: () => feed.confirm(probes.at(-1) ?? 0),
    backlog: () => received.flatMap((message) => (message.kind === "backlog" ? [message] : [])),
    kinds: () => received.map((message) => message.kind),
    numbers: () =>
      received.flatMap((message) => (message.kind === "events" ? message.events.map((e) => e.number) : [])),
  };
}

describe("the live feed of a page", () => {
  test("begins with a snapshot and goes on with the events after it", () => {
    const page = feedFrom(10);
    page.happen(11, 13);
    page.tellStatus();
    expect(page.kinds()).toEqual(["snapshot", "events", "status"]);
    expect(page.received[0]).toMatchObject({ view: { eventNumber: 10 }, status: { version: "1" } });
    expect(page.numbers()).toEqual([11, 12, 13]);
  });

  test("leaves out events that the snapshot already holds", () => {
    const page = feedFrom(10);
    page.happen(8, 11);
    page.happen(9, 11);
    expect(page.numbers()).toEqual([11]);
  });

  test("sends a new snapshot in place of events with a gap before them", () => {
    const page = feedFrom(10);
    page.happen(15, 20);
    page.happen(21, 21);
    expect(page.kinds()).toEqual(["snapshot", "snapshot", "events"]);
    expect(page.numbers()).toEqual([21]);
  });

  test("asks one question at a time how far the page has got", () => {
    const page = feedFrom(0);
    page.happen(1, 5);
    page.happen(6, 9);
    expect(page.probes).toEqual([1]);
    page.answer();
    expect(page.probes).toEqual([1, 10]);
    page.answer();
    expect(page.probes).toEqual([1, 10]);
  });

  test("stops for a page that does not answer, and catches up with a snapshot", () => {
    const page = feedFrom(0);
    for (let first = 1; first <= 10 * UNCONFIRMED_EVENTS_MAX; first += 100) page.happen(first, first + 99);
    page.tellStatus();
    expect(page.numbers().length).toBeLessThan(UNCONFIRMED_EVENTS_MAX + 200);
    expect(page.kinds()).not.toContain("status");

    page.answer();
    page.answer();
    expect(page.received.at(-1)).toMatchObject({
      kind: "snapshot",
      view: { eventNumber: 10 * UNCONFIRMED_EVENTS_MAX },
    });
    page.happen(10 * UNCONFIRMED_EVENTS_MAX + 1, 10 * UNCONFIRMED_EVENTS_MAX + 2);
    expect(page.kinds().at(-1)).toBe("events");
  });

  test("does not take a page's late answer from before a reload for one of now", () => {
    const page = feedFrom(0);
    page.feed.confirm(4_000);
    page.happen(1, 5);
    expect(page.probes).toEqual([1]);
  });

  test("lets go of the server when it is closed", () => {
    const page = feedFrom(0);
    page.feed.close();
    expect(page.listeners()).toBe(0);
  });

  test("tells what happened before the snapshot, oldest first, while the page keeps up", () => {
    const history = new History(emptyView("topas"), viewFolding);
    for (let number = 1; number <= 1_000; number += 1) history.add({ kind: "alarm.set", number, atMs: number });
    const page = feedFrom(1_000, history);
    expect(page.backlog()).toEqual([]);
    for (let times = 0; times < 6; times += 1) page.answer();
    const pieces = page.backlog();
    expect(pieces.flatMap(({ events }) => events.map(({ number }) => number))).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 1),
    );
    expect(pieces.map(({ start }) => start?.eventNumber)).toEqual([0, undefined, undefined]);
    expect(Math.max(...pieces.map(({ events }) => events.length))).toBe(BACKLOG_PIECE_EVENTS);
  });

  test("begins the time before anew where the server has forgotten what the page has not got yet", () => {
    const history = new History(emptyView("topas"), viewFolding, { eventsMax: 900, bytesMax: 1e9, keyframeEvery: 100 });
    for (let number = 1; number <= 900; number += 1) history.add({ kind: "alarm.set", number, atMs: number });
    const page = feedFrom(900, history);
    page.answer();
    for (let number = 901; number <= 1_500; number += 1) history.add({ kind: "alarm.set", number, atMs: number });
    for (let times = 0; times < 4; times += 1) page.answer();
    const starts = page.backlog().flatMap(({ start }) => (start === null ? [] : [start.eventNumber]));
    expect(starts).toEqual([0, history.firstNumber]);
    expect(page.backlog().at(-1)?.events.at(-1)?.number).toBe(900);
  });
});
