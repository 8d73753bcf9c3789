import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/sim/random";
import { simulate } from "../../core/sim/simulate";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import type { TraceEvent } from "../../core/view/chrome-trace";
import { emptyView } from "../../core/view/fold";
import { traceText } from "../../core/view/trace-text";
import { toViewEvent, type ViewEvent } from "../../core/view/view-event";
import { slotEngine, smallCrewWorkload } from "../support/workloads";

/** What Perfetto's importer of the JSON format needs of each phase. */
const common = {
  name: { type: "string" },
  ts: { type: "integer", minimum: 0 },
  pid: { type: "integer" },
  tid: { type: "integer" },
};
const shape = (ph: string, needed: Record<string, object>) => ({
  type: "object",
  required: ["name", "ph", "ts", "pid", "tid", ...Object.keys(needed)],
  properties: { ...common, ph: { const: ph }, ...needed },
});
const schema = {
  type: "object",
  required: ["traceEvents", "displayTimeUnit"],
  properties: {
    displayTimeUnit: { enum: ["ms", "ns"] },
    traceEvents: {
      type: "array",
      items: {
        oneOf: [
          shape("M", { args: { type: "object" } }),
          shape("X", { dur: { type: "integer", minimum: 0 }, args: { type: "object" } }),
          shape("b", { id: { type: "string" }, cat: { type: "string" } }),
          shape("e", { id: { type: "string" }, cat: { type: "string" } }),
          shape("i", { s: { enum: ["g", "p", "t"] } }),
          shape("C", { args: { type: "object" } }),
          shape("s", { id: { type: "string" } }),
          shape("f", { id: { type: "string" }, bp: { const: "e" } }),
        ],
      },
    },
  },
};

const events: ViewEvent[] = [];
simulate({
  state: emptyState("topas"),
  config: defaultConfig,
  engine: slotEngine(4, 2048),
  workload: smallCrewWorkload(seededRandom(7)),
  watch: (_, happened) => void events.push(...happened.map(toViewEvent)),
});
const trace = JSON.parse([...traceText(emptyView("topas"), events)].join("")) as { traceEvents: TraceEvent[] };
const of = (phase: TraceEvent["ph"]) => trace.traceEvents.filter(({ ph }) => ph === phase);

describe("the Chrome trace of a run", () => {
  it("has the shape of the format", () => {
    const check = new Ajv({ strict: false }).compile(schema);
    expect(check(trace) ? [] : check.errors?.slice(0, 3)).toEqual([]);
  });

  it("has an instant for each decision, with its verdict", () => {
    const decided = events.flatMap((event) => (event.kind === "decision.made" ? [event.decision] : []));
    const told = of("i").filter(({ cat }) => cat === "decision");
    expect(told.map(({ args }) => args?.verdict)).toEqual(decided.map(({ verdict }) => verdict));
  });

  it("has one request at a time in a slot's track, from prefill to decode", () => {
    const admitted = events.filter(({ kind }) => kind === "request.admitted").length;
    const spans = of("X");
    expect(spans.filter(({ cat }) => cat === "prefill")).toHaveLength(admitted);
    for (const tid of new Set(spans.map((span) => span.tid))) {
      const inOrder = spans.filter((span) => span.tid === tid).toSorted((a, b) => a.ts - b.ts);
      for (const [index, span] of inOrder.entries())
        expect(span.ts).toBeGreaterThanOrEqual((inOrder[index - 1]?.ts ?? 0) + (inOrder[index - 1]?.dur ?? 0));
    }
  });

  it("ends every waiting that begins, and every arrow arrives", () => {
    expect(
      of("b")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(
      of("e")
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(of("s").length).toBeGreaterThan(0);
    expect(of("s").map(({ id }) => id)).toEqual(of("f").map(({ id }) => id));
  });

  it("counts as many waiting requests as the view at the end: none", () => {
    expect(of("C").at(-1)?.args).toEqual({ waiting: 0 });
  });
});
