/** What is too much, too long, of another script or out of order: it is drawn whole, within limits, and nothing throws. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import { emptyView } from "../../core/view/fold";
import { foldMoment, type Moment, momentOf } from "../../core/view/moment";
import type { LiveView } from "../../core/view/view";
import type { ViewEvent } from "../../core/view/view-event";
import { App } from "../../renderer/app";
import { commands } from "../../renderer/bridge";
import { agentColours, agentLetters } from "../../renderer/drawing/agent-tag";
import { LONE_MAX } from "../../renderer/panels/graph/lone-block";
import { laneBoxes, markPlaces, timeScale } from "../../renderer/panels/lanes/lanes-layout";
import { ROWS_MAX } from "../../renderer/panels/queue/collapse-queue";
import { createClock } from "../../renderer/store/clock";
import { LiveProvider } from "../../renderer/store/live-context";
import { createLiveStore } from "../../renderer/store/live-store";
import { busyMoment } from "./made-up/busy-run";
import { crowdMoment, NAMES, namedMoment, shapesMoment } from "./made-up/hard-runs";
import { readyStatus } from "./made-up/ready-status";

vi.stubGlobal("localStorage", { getItem: () => null });
vi.stubGlobal("window", { topas: {} });

function drawn(view: LiveView): string {
  const clock = createClock(() => 0);
  clock.set(view.atMs);
  const parts = { store: createLiveStore({ view, status: readyStatus }), clock, commands: commands() };
  const props = { parts, children: createElement(App) };
  return renderToStaticMarkup(createElement(LiveProvider, props));
}

const times = (html: string, testId: string) => html.split(`data-testid="${testId}"`).length - 1;

describe("too much at once", () => {
  const html = drawn(crowdMoment.view);

  test("over 99 that wait are twenty rows and a count by reason; requests without a workflow are a few nodes and a count", () => {
    const { length } = crowdMoment.view.queue;
    expect(length).toBeGreaterThan(99);
    expect(times(html, "queue-row")).toBe(ROWS_MAX);
    expect(html).toContain(`… and ${length - ROWS_MAX} more: `);
    expect(times(html, "node")).toBe(LONE_MAX);
    expect(times(html, "slot")).toBe(8);
  });

  test("the ninth agent and later ones share a colour and are told apart by their letters", () => {
    expect(crowdMoment.view.agents.length).toBe(30);
    expect(agentColours(8)).toEqual(agentColours(29));
    expect(agentColours(7)).not.toEqual(agentColours(8));
    const letters = crowdMoment.view.agents.map(agentLetters);
    expect(new Set(letters).size).toBe(30);
  });
});

describe("names", () => {
  test("of 60 characters, right to left, emoji, markup: each is there as it was given", () => {
    const html = drawn(namedMoment.view);
    expect(html).not.toContain("<b>markup</b>");
    for (const name of NAMES.slice(0, 4)) expect(html).toContain(name);
    expect(html).toContain('dir="auto"');
  });

  test.each([
    ["planner", "Pl"],
    ["محلل", "مح"],
    ["👩‍💻🔎", "👩‍💻"],
    ["agent-07", "07"],
    ["worker2", "W2"],
    ["a", "A"],
    ["", ""],
  ])("%s has the letters %s", (name, letters) => {
    expect(agentLetters(name)).toBe(letters);
  });
});

test("twelve side by side stand together, a hundred in a row are all there, a loop's calls wait in the queue", () => {
  const html = drawn(shapesMoment.view);
  expect(html).toContain("worker × 12");
  expect(times(html, "node")).toBeGreaterThan(100);
  expect(shapesMoment.view.queue.filter(({ requestId }) => /^[pq]/.test(requestId)).length).toBeGreaterThan(1);
});

describe("clocks that jump", () => {
  /** From the middle on an hour earlier, later a day later. */
  const jumped = busyMoment.events.map((event, index): ViewEvent => {
    const third = Math.floor((3 * index) / busyMoment.events.length);
    return { ...event, atMs: event.atMs + ([0, -3_600_000, 86_400_000][third] ?? 0) };
  });

  test("nothing throws, and what is drawn lies within the lanes", () => {
    let moment: Moment = momentOf(emptyView("topas"));
    for (const [index, event] of jumped.entries()) {
      moment = foldMoment(moment, event);
      if (index % 50 !== 0) continue;
      const scale = timeScale(900, moment.view.atMs, 8_000);
      for (const { x, width } of laneBoxes(moment.lanes, scale)) {
        expect(x).toBeGreaterThanOrEqual(scale.left);
        expect(x + width).toBeLessThanOrEqual(scale.right + 5);
      }
      for (const { x } of markPlaces(moment.lanes, scale)) expect(x).toBeLessThanOrEqual(scale.right);
      expect(moment.lanes.over.length).toBeLessThanOrEqual(2_000);
    }
    const words = drawn(moment.view).replaceAll(/<[^>]*>/g, " ");
    expect(/NaN|Infinity|[-−]\d[\d.,]* m?s/.exec(words)?.[0]).toBeUndefined();
  });
});
