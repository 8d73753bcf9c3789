/** What the inspector draws of a decision of each kind is the inspection's own: every figure, in its order. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import type { TopasBridge } from "../../core/contract/window";
import type { Inspection } from "../../core/inspect/inspection";
import { InspectionSections } from "../../renderer/panels/inspector/inspection-sections";
import {
  missingText,
  othersLines,
  scoreFigure,
  shownTerms,
  signedFigure,
  TERMS,
} from "../../renderer/panels/inspector/inspector-words";
import { createClock } from "../../renderer/store/clock";
import { LiveProvider } from "../../renderer/store/live-context";
import { createLiveStore } from "../../renderer/store/live-store";
import { inspectedMoments } from "./made-up/inspected";
import { readyStatus } from "./made-up/ready-status";

vi.stubGlobal("localStorage", { getItem: () => null });

const moments = inspectedMoments();

function drawn(inspection: Inspection): string {
  const view = moments.get(inspection.kind)?.view;
  if (view === undefined) throw new Error("There is no moment of that kind.");
  const clock = createClock(() => 0);
  clock.set(inspection.atMs + 400);
  const parts = { store: createLiveStore({ view, status: readyStatus }), clock, commands: {} as TopasBridge };
  const children = createElement(InspectionSections, { inspection });
  return renderToStaticMarkup(createElement(LiveProvider, { parts, children })).replaceAll("&#x27;", "'");
}

/** The texts of all elements with that test id, in order. */
function textsOf(html: string, testId: string): string[] {
  return [...html.matchAll(new RegExp(`data-testid="${testId}"[^>]*>([^<]*)<`, "g"))].map((found) => found[1] ?? "");
}

test("the made-up run has decisions of every kind that can be without parking", () => {
  expect([...moments.keys()].sort()).toEqual(["admit", "evict", "full", "hold", "keep"]);
});

describe.each([...moments.values()].map(({ inspection }) => [inspection.kind, inspection] as const))(
  "a decision of the kind %s",
  (_, inspection) => {
    const html = drawn(inspection);

    test("every candidate stands with its terms and its score", () => {
      expect(textsOf(html, "candidate-score")).toEqual(
        inspection.candidates.slice(0, 6).map(({ scoreMs }) => scoreFigure(scoreMs)),
      );
      for (const { term } of shownTerms(inspection)) {
        expect(textsOf(html, `candidate-${term}`)).toEqual(
          inspection.candidates.slice(0, 6).map(({ termsMs }) => signedFigure(termsMs[term])),
        );
      }
    });

    test("no column that is left out has anything in it", () => {
      const shown = shownTerms(inspection).map(({ term }) => term);
      const left = TERMS.filter(({ term }) => !shown.includes(term));
      for (const { term } of left) expect(inspection.candidates.every(({ termsMs }) => termsMs[term] === 0)).toBe(true);
    });

    test("the differences stand largest first, with the margin as their sum", () => {
      const shown = inspection.marginMs === null ? [] : inspection.decided.differences;
      expect(textsOf(html, "difference-ms")).toEqual(shown.map(({ ms }) => signedFigure(ms)));
      if (shown.length > 0) expect(textsOf(html, "margin")).toEqual([scoreFigure(inspection.marginMs ?? 0)]);
    });

    test("each flip, each eviction and each expectation has its line", () => {
      expect(html.split('data-testid="flip"').length - 1).toBe(inspection.flips.list.length);
      for (const { sentence } of [...inspection.flips.list, ...inspection.evictions]) expect(html).toContain(sentence);
      expect(textsOf(html, "inspector-predicted")).toHaveLength(inspection.expectations.length);
      expect(html).toContain("0.4 s ago");
    });
  },
);

test("what other policies would have done is said once for each different choice", () => {
  const same = { isSame: true, words: "coder#2 to slot 3, evict writer", requestId: "r" };
  const other = { isSame: false, words: "Keep writer in slot 3, admit nobody", requestId: null };
  expect(
    othersLines([
      { policy: "fcfs", ...same },
      { policy: "lpm", ...same },
    ]),
  ).toEqual(["FCFS and LPM would have done the same here."]);
  expect(
    othersLines([
      { policy: "fcfs", ...same, isSame: false },
      { policy: "topas", ...other },
    ]),
  ).toEqual([
    "FCFS would have admitted coder#2 to slot 3, evicting writer here.",
    "TOPAS would have kept writer in slot 3, admitting nobody here.",
  ]);
});

test("a decision that cannot be inspected is told with the ones that can", () => {
  expect(missingText(12, { kind: "forgotten", firstKept: 40, lastKept: 1284 })).toBe(
    "Decision 12 is too old to be taken apart. 40 to 1,284 are kept.",
  );
  expect(missingText(12, { kind: "forgotten", firstKept: 13, lastKept: 12 })).toContain("None is kept.");
  expect(missingText(7, { kind: "not_made", decisions: 3 })).toContain("there were 3 so far");
});
