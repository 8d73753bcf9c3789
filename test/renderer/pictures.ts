/**
 * Takes pictures of the window's page at made-up moments, in both themes and two sizes, into test/artifacts/window/.
 * Run: npx tsx test/renderer/pictures.ts. Needs the tests' Electron.
 */
import { mkdirSync } from "node:fs";
import type { AppStatus } from "../../core/contract/window";
import type { LiveView } from "../../core/view/view";
import { openBrowser, type TestBrowser } from "./browser";
import { busyView } from "./made-up/busy-view";
import { idleView } from "./made-up/idle-view";
import { outageStatus, outageView } from "./made-up/outage";
import { engine, readyStatus } from "./made-up/ready-status";
import { openPage } from "./open-page";
import { buildPage, servePage } from "./vite-page";

const OUT = "test/artifacts/window";

interface Moment {
  readonly name: string;
  readonly view: LiveView;
  readonly status: AppStatus;
}

const noiseEngine = { ...engine, modelId: "noise", quantization: "F16", noiseModel: true };
const givenUp = { reason: "the model file can no longer be read.", attempt: 5, phase: "given_up" as const };
const outage = outageStatus.outage ?? undefined;

const MOMENTS: readonly Moment[] = [
  { name: "live", view: busyView, status: { ...readyStatus, demo: { phase: "running", tasksDone: 2, tasksTotal: 6 } } },
  { name: "quiet", view: { ...idleView, totals: busyView.totals }, status: readyStatus },
  { name: "start", view: idleView, status: { ...readyStatus, model: { phase: "none" } } },
  { name: "start-ready", view: idleView, status: readyStatus },
  { name: "start-noise", view: idleView, status: { ...readyStatus, model: { phase: "ready", engine: noiseEngine } } },
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
  { name: "outage", view: outageView, status: outageStatus },
  {
    name: "given-up",
    view: outageView,
    status: { ...outageStatus, outage: outage ? { ...outage, ...givenUp } : null },
  },
];

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
] as const;

async function main(): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  await buildPage("test/artifacts/page");
  const { url, server } = await servePage("test/artifacts/page");
  const browser = await openBrowser();
  try {
    for (const moment of MOMENTS) await picturesOf(browser, url, moment);
  } finally {
    await browser.close();
    server.close();
  }
}

async function picturesOf(browser: TestBrowser, url: string, { name, view, status }: Moment): Promise<void> {
  const wanted = process.argv[2];
  if (wanted !== undefined && !name.startsWith(wanted)) return;
  for (const colorScheme of ["dark", "light"] as const) {
    for (const viewport of SIZES) {
      const opened = await openPage(browser, { url, view, status, colorScheme, viewport });
      if (name === "live") await opened.page.getByTestId("queue-row").first().click();
      await opened.page.screenshot({ path: `${OUT}/${name}-${colorScheme}-${viewport.width}.png` });
      for (const problem of opened.problems) console.error(`${name}: ${problem}`);
      await opened.page.close();
    }
  }
}

await main();
