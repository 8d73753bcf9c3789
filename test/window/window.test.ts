/** The built app in a real window, with a tiny noise model: the main job as a user sees it. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from "vitest";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { type Display, openDisplay } from "./display";
import { type LaunchedWindow, launchWindow } from "./launch-window";
import { readSightings, watchPanels } from "./watch-panels";

const artifacts = resolve(import.meta.dirname, "../artifacts");
const SOON = { timeout: 60_000 };
const DEMO = { timeout: 200_000 };
/** The demo's six tasks: three of four requests each, three of three. */
const DEMO_REQUESTS = 21;

let display: Display;
let folder: string;
let modelPath: string;
let launched: LaunchedWindow | null = null;

beforeAll(async () => {
  display = await openDisplay();
  folder = await mkdtemp(join(tmpdir(), "topas-window-test-"));
  modelPath = join(folder, "noise-tiny.gguf");
  await writeNoiseModel(modelPath, { size: "tiny" });
  await mkdir(artifacts, { recursive: true });
});
afterEach(async () => {
  await launched?.close();
  launched = null;
});
afterAll(async () => {
  await display.close();
  await rm(folder, { recursive: true });
});

/** Two slots for seven agents, so that some have to wait. */
async function open(): Promise<LaunchedWindow> {
  onTestFailed(async () => {
    await launched?.page.screenshot({ path: join(artifacts, "failed.png") });
    console.error(launched?.output());
  });
  launched = await launchWindow({
    display: display.name,
    flags: ["--model", modelPath, "--port", "0", "--slots", "2", "--gpu", "cpu", "--threads", "1"],
  });
  await launched.page.getByTestId("start-screen").waitFor(SOON);
  // While it loads, the header has its name but not yet what it is.
  await expect
    .poll(() => launched?.page.locator("header").textContent(), SOON)
    .toMatch(/noise-tiny.*text is meaningless/);
  return launched;
}

async function startDemo(page: Page): Promise<void> {
  await page.getByTestId("run-demo").click();
  await page.getByTestId("now-line").waitFor(SOON);
}

async function demoIsFinished(page: Page): Promise<void> {
  await page.locator("[data-testid=demo-status][data-phase=finished]").getByText("6 tasks").waitFor(DEMO);
}

describe("the window", () => {
  test("shows the demo crew at work in all three panels", async () => {
    const { page, problems } = await open();
    expect(await page.evaluate(() => ["require", "process", "module"].filter((name) => name in window))).toEqual([]);
    await page.screenshot({ path: join(artifacts, "start.png") });

    await watchPanels(page);
    await startDemo(page);
    for (const panel of ["panel-graph", "panel-residency", "panel-queue"]) await page.getByTestId(panel).waitFor(SOON);
    await page.getByTestId("queue-row").first().waitFor(SOON);
    await page.screenshot({ path: join(artifacts, "live.png") });

    const fcfs = page.getByTestId("header-policy").getByRole("radio", { name: "FCFS" });
    expect(await fcfs.getAttribute("aria-checked")).toBe("false");
    await fcfs.click();
    await expect.poll(() => fcfs.getAttribute("aria-checked"), SOON).toBe("true");

    await demoIsFinished(page);
    await page.screenshot({ path: join(artifacts, "demo-finished.png") });
    const seen = await readSightings(page);
    expect(seen.nodePhases).toEqual(expect.arrayContaining(["running", "waiting", "done"]));
    expect(seen.slotStates).toEqual(expect.arrayContaining(["running", "warm"]));
    expect(seen.queueRowsMax).toBeGreaterThan(0);
    expect(seen.totals).toMatchObject({ finishedRequests: DEMO_REQUESTS, failedRequests: 0 });
    expect(await problems()).toEqual([]);
  });

  test("says that the engine was killed, and the demo goes on to its end without a failed request", async () => {
    const { page, app, problems } = await open();
    await watchPanels(page);
    await startDemo(page);
    await page.locator("[data-testid=slot][data-state=running]").first().waitFor(SOON);

    const enginePid = await app.evaluate(
      (electron) => electron.app.getAppMetrics().find(({ name }) => name === "TOPAS engine")?.pid,
    );
    expect(enginePid).toBeGreaterThan(0);
    process.kill(enginePid as number, "SIGKILL");
    const banner = page.getByTestId("outage-banner");
    await banner.waitFor(SOON);
    await page.screenshot({ path: join(artifacts, "outage.png") });
    await banner.waitFor({ ...SOON, state: "detached" });

    await demoIsFinished(page);
    const seen = await readSightings(page);
    expect(seen.totals).toMatchObject({ finishedRequests: DEMO_REQUESTS, failedRequests: 0 });
    expect(await problems()).toEqual([]);
  });
});
