import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test, vi } from "vitest";
import type { AppStatus, TopasBridge } from "../../core/contract/window";
import { seededRandom } from "../../core/sim/random";
import { simulate } from "../../core/sim/simulate";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { emptyView, foldEvent } from "../../core/view/fold";
import type { LiveView } from "../../core/view/view";
import { toViewEvent } from "../../core/view/view-event";
import { App } from "../../renderer/app";
import { createClock } from "../../renderer/store/clock";
import { LiveProvider } from "../../renderer/store/live-context";
import { createLiveStore } from "../../renderer/store/live-store";
import { slotEngine, smallCrewWorkload } from "../support/workloads";
import { busyView } from "./made-up/busy-view";
import { idleView } from "./made-up/idle-view";
import { outageStatus, outageView } from "./made-up/outage";
import { NOW_MS } from "./made-up/parts";
import { engine, readyStatus } from "./made-up/ready-status";

vi.stubGlobal("localStorage", { getItem: () => null });

const refused = () => Promise.resolve({ ok: false as const, message: "not in this test" });
const commands: TopasBridge = {
  runDemo: refused,
  stopDemo: refused,
  choosePolicy: refused,
  chooseModelFile: refused,
  loadStarterModel: refused,
  cancelRequest: refused,
  pauseQueue: refused,
  resumeQueue: refused,
  moveUp: refused,
  undoMoveUp: refused,
  pinPrefix: refused,
  unpinPrefix: refused,
  inspectDecision: () => Promise.resolve({ kind: "failed", message: "not in this test" }),
  openRecording: refused,
  openDroppedFile: refused,
  closeRecording: refused,
  saveRecording: refused,
  saveTrace: refused,
  copyText: refused,
  restartEngine: refused,
  readEngineLog: () => Promise.resolve(""),
};

function drawn(view: LiveView, status: AppStatus): string {
  const clock = createClock(() => 0);
  clock.set(NOW_MS);
  const parts = { store: createLiveStore({ view, status }), clock, commands };
  const props = { parts, children: createElement(App) };
  return renderToStaticMarkup(createElement(LiveProvider, props)).replaceAll("&#x27;", "'");
}

const text = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
const times = (html: string, testId: string) => html.split(`data-testid="${testId}"`).length - 1;

describe("the live screen", () => {
  const html = drawn(busyView, { ...readyStatus, demo: { phase: "running", tasksDone: 2, tasksTotal: 6 } });
  const words = text(html);

  test("it has the three panels, a slot row for each slot and a queue row for each waiting request", () => {
    for (const panel of ["panel-graph", "panel-residency", "panel-queue"]) expect(times(html, panel)).toBe(1);
    expect(times(html, "slot")).toBe(4);
    expect(times(html, "queue-row")).toBe(4);
    expect(times(html, "node")).toBe(9);
    expect(times(html, "start-screen")).toBe(0);
  });

  test("the header names the model, where it runs, the address and the policy", () => {
    expect(words).toContain("SmolLM2-135M-Instruct Q4_1, CPU, 2 threads http://127.0.0.1:8642/v1");
    expect(html).toMatch(/aria-checked="true"[^>]*>TOPAS</);
    expect(html).toMatch(/aria-checked="false"[^>]*>FCFS</);
  });

  test("each slot says what it holds and what it does", () => {
    expect(words).toContain("4,175 of 8,192 tokens · 78% of prompt tokens reused");
    expect(words).toContain("worker#4 decode 145 of 165 forked from slot 1 768 + 335 tokens");
    expect(words).toContain("writer warm, idle 0.4 s kept for Research crew 3 832 + 128 tokens");
  });

  test("each queue row has place, age, reuse, score, sentence and code", () => {
    expect(words).toContain(
      "2 Pl planner#3 Research crew, task 5 0.7 s slot 1 512 / 655 979 Waits for a slot: coder#2 goes first because Code crew 4 ends sooner by it. NO_FREE_SLOT",
    );
    expect(words).toContain("4 ready, 2 not ready");
    expect(words).toContain("TTFT p50 460 ms · JCT mean 11.2 s");
  });

  test("the demo crew's progress can be seen and stopped", () => {
    expect(words).toContain("Demo: 2 of 6 tasks Stop");
  });

  test("with nothing in the queue it says so", () => {
    expect(text(drawn({ ...idleView, totals: busyView.totals }, readyStatus))).toContain("Nothing waits.");
  });
});

describe("the start screen", () => {
  test("it is shown until something has run, and says what to do", () => {
    const html = drawn(idleView, readyStatus);
    expect(times(html, "start-screen")).toBe(1);
    expect(text(html)).toContain(
      "Run the demo crew Enter Two workflows, seven agents, on the real model. About two minutes.",
    );
    expect(text(html)).toContain("Or point your own agents at http://127.0.0.1:8642/v1");
  });

  test("a download shows how much of how much has come", () => {
    const model = {
      phase: "downloading",
      name: "M",
      from: "example.org",
      receivedBytes: 42e6,
      totalBytes: 98e6,
    } as const;
    expect(text(drawn(idleView, { ...readyStatus, model }))).toContain(
      "M 42 MB of 98 MB Downloading from example.org.",
    );
  });

  test("a model that failed says what to do", () => {
    const model = { phase: "failed", message: "It is cut off.", whatToDo: "Fetch it again." } as const;
    const words = text(drawn(busyView, { ...readyStatus, model }));
    expect(words).toContain("It is cut off. Fetch it again. MODEL_FAILED");
    expect(words).toContain("Choose a GGUF file");
  });

  test("a noise model is called one in the header and on the screen", () => {
    const model = { phase: "ready", engine: { ...engine, noiseModel: true } } as const;
    const words = text(drawn(idleView, { ...readyStatus, model }));
    expect(words.split("noise model, text is meaningless")).toHaveLength(3);
    expect(words).not.toContain("the real model");
  });
});

describe("an outage", () => {
  test("the banner stands in the now line's place and the panels stay, slots as outlines", () => {
    const html = drawn(outageView, outageStatus);
    expect(times(html, "outage-banner")).toBe(1);
    expect(times(html, "now-line")).toBe(0);
    expect(times(html, "slot")).toBe(4);
    expect(text(html)).toContain("The engine stopped and is restarting.");
    expect(text(html)).toContain("0 of 8,192 tokens");
    expect(text(html)).toContain("worker#3 prefills again, goes on after token 142");
    expect(html).toContain("lost-prefix");
    expect(html).not.toMatch(/class="(prefix|tail|warm-prefix) ?"/);
    expect(text(html)).toContain("ENGINE_RESTARTING");
  });

  test("after the last try there is the reason and a button", () => {
    const { outage } = outageStatus;
    if (outage === null) throw new Error("The outage moment has no outage.");
    const status = {
      ...outageStatus,
      outage: { ...outage, phase: "given_up" as const, attempt: 5, reason: "out of memory." },
    };
    const words = text(drawn(outageView, status));
    expect(words).toContain("The engine could not be started. 5 tries failed. The last one: out of memory.");
    expect(words).toContain("Restart");
  });

  test("an engine that is lost before anything ran is shown too", () => {
    expect(times(drawn(idleView, outageStatus), "outage-banner")).toBe(1);
  });
});

describe("a whole simulated run of two crews", () => {
  const moments: LiveView[] = [];
  let view = emptyView("topas");
  simulate({
    state: emptyState("topas"),
    config: defaultConfig,
    engine: slotEngine(2, 2_048),
    workload: smallCrewWorkload(seededRandom(7)),
    watch: (_, events) => {
      for (const event of events) view = foldEvent(view, toViewEvent(event));
      if (moments.length === 0 || view.eventNumber - (moments.at(-1)?.eventNumber ?? 0) > 40) moments.push(view);
    },
  });

  test("every moment can be drawn, with a row for each waiting request and each slot", () => {
    expect(moments.length).toBeGreaterThan(20);
    for (const moment of moments) {
      const html = drawn(moment, readyStatus);
      if (moment.tasks.length === 0) continue;
      expect(times(html, "slot")).toBe(2);
      expect(times(html, "queue-row")).toBe(Math.min(20, moment.queue.length));
      expect(html).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  test("at its end nothing waits, nothing is in flight, and the finished tasks are named with their times", () => {
    const words = text(drawn(view, readyStatus));
    expect(words).toContain("Nothing waits.");
    expect(words).toContain("No task is in flight.");
    expect(words).toMatch(/Finished .+, task \d+ in [\d.]+ s/);
  });
});
