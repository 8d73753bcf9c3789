/** Every state of the window that a picture is taken of: what the page hears, and what is pressed before the picture. */
import type { Page } from "playwright-core";
import type { AppStatus, EngineOutage } from "../../../core/contract/window";
import type { InspectionResult } from "../../../core/inspect/inspection";
import { emptyView } from "../../../core/view/fold";
import type { LiveView } from "../../../core/view/view";
import type { ViewEvent } from "../../../core/view/view-event";
import { busyMoment, busyRun, lostMoment } from "./busy-run";
import { crowdMoment, crowdRun, namedMoment, namedRun, shapesMoment, shapesRun } from "./hard-runs";
import { idleView } from "./idle-view";
import { engine, readyStatus } from "./ready-status";
import type { SimulatedRun } from "./simulated-run";

export interface PictureMoment {
  readonly name: string;
  readonly view: LiveView;
  readonly events?: readonly ViewEvent[];
  readonly status: AppStatus;
  readonly inspections?: Readonly<Record<number, InspectionResult>>;
  readonly prepare?: (page: Page, width: number) => Promise<void>;
}

/** A moment of a run, with the decision behind it ready for the inspector. */
export function momentOfRun(
  name: string,
  run: SimulatedRun,
  at: { readonly view: LiveView; readonly events: readonly ViewEvent[] },
  change: Partial<AppStatus> = {},
): PictureMoment {
  const decisions = new Set([at.view.lastDecision?.number, at.view.queue[0]?.decision]);
  const inspections = Object.fromEntries(
    [...decisions].filter((one) => one !== undefined).map((one) => [one, run.inspection(one)] as const),
  );
  const model = { phase: "ready" as const, engine: { ...engine, slots: at.view.engine.slots } };
  const status = { ...readyStatus, model, nowMs: at.view.atMs + 250, ...change };
  return { name, view: emptyView("topas"), events: at.events, status, inspections };
}

const openInspector = async (page: Page, width: number) => {
  await page.getByTestId("queue-row").first().click();
  if (width < 1400) return;
  await page.keyboard.press("i");
  await page.getByTestId("inspection").waitFor();
};

const live = momentOfRun("live", busyRun, busyMoment, { demo: { phase: "running", tasksDone: 2, tasksTotal: 6 } });

const recorded = momentOfRun("recorded", busyRun, busyMoment, {
  url: null,
  recording: { name: "monday-crews.topas.jsonl.gz", simulated: false, problem: null },
});

const queuePaused: ViewEvent = {
  kind: "queue.paused",
  number: busyMoment.view.eventNumber + 1,
  atMs: busyMoment.view.atMs + 1,
};

const lost = lostMoment(busyMoment.view.atMs + 400);
const lostRequests = Object.values(lost.view.requests);
const runningRequests = lostRequests.filter(({ admittedAtMs }) => admittedAtMs !== null).length;
const outage: EngineOutage = {
  reason: "The engine's process ended with signal SIGABRT.",
  attempt: 1,
  attemptsMax: 5,
  phase: "loading",
  fraction: 0.62,
  runningRequests,
  waitingRequests: lostRequests.length - runningRequests,
};

export const PICTURE_MOMENTS: readonly PictureMoment[] = [
  { ...live, prepare: openInspector },
  {
    ...live,
    name: "live-drawer",
    prepare: async (page) => {
      await page.keyboard.press("i");
      await page.getByTestId("inspection").waitFor();
    },
  },
  {
    ...live,
    name: "paused",
    prepare: async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("j");
    },
  },
  {
    ...live,
    name: "forced-colors",
    prepare: async (page, width) => {
      await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
      await openInspector(page, width);
    },
  },
  { ...live, name: "menu", prepare: (page) => page.getByTestId("queue-row").nth(1).click({ button: "right" }) },
  { ...live, name: "keys", prepare: (page) => page.keyboard.press("?") },
  { ...live, name: "palette", prepare: (page) => page.keyboard.press("Control+k") },
  {
    name: "empty",
    view: idleView,
    status: { ...readyStatus, demo: { phase: "finished", tasksDone: 6, meanJctMs: 12_300 } },
  },
  { ...recorded, name: "recorded" },
  {
    ...recorded,
    name: "simulated",
    status: {
      ...recorded.status,
      recording: {
        name: "fan-out-seed-1.topas.jsonl.gz",
        simulated: true,
        problem: "The file is cut off in line 2,114: what comes before it is shown.",
      },
    },
  },
  { ...momentOfRun("overload", crowdRun, crowdMoment), prepare: openInspector },
  momentOfRun("names", namedRun, namedMoment),
  momentOfRun("shapes", shapesRun, shapesMoment),
  { ...momentOfRun("queue-paused", busyRun, { ...busyMoment, events: [...busyMoment.events, queuePaused] }) },
  momentOfRun("outage", lost.run, lost, { outage }),
  momentOfRun("given-up", lost.run, lost, {
    outage: { ...outage, reason: "the model file can no longer be read.", attempt: 5, phase: "given_up" },
  }),
  ...(["timeline", "workflows", "models", "server", "settings"] as const).map((page) => ({
    ...live,
    name: `page-${page}`,
    prepare: (to: Page) => to.getByTestId(`page-${page}`).click(),
  })),
  { name: "start", view: idleView, status: { ...readyStatus, model: { phase: "none" } } },
  { name: "start-ready", view: idleView, status: readyStatus },
  {
    name: "start-noise",
    view: idleView,
    status: {
      ...readyStatus,
      model: { phase: "ready", engine: { ...engine, modelId: "noise", quantization: "F16", noiseModel: true } },
    },
  },
  {
    name: "start-downloading",
    view: idleView,
    status: {
      ...readyStatus,
      model: {
        phase: "downloading",
        name: engine.modelId,
        from: "huggingface.co",
        receivedBytes: 42e6,
        totalBytes: 98e6,
      },
    },
  },
  {
    name: "start-failed",
    view: idleView,
    status: {
      ...readyStatus,
      url: null,
      serverProblem: "Port 8642 is in use by another program. Close it, or start with --port and another number.",
      model: {
        phase: "failed",
        message: "notes.gguf is not a GGUF model: its first four bytes are not GGUF.",
        whatToDo: "Choose another file, or use the starter model.",
      },
    },
  },
];
