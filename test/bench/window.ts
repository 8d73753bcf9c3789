/**
 * How smoothly the real window draws under 1,000 events a second on eight slots, and how fast it shows any moment of an hour.
 * Run: npm run bench:window -- [--json FILE] [--seconds 60]. Needs the tests' Electron, and on Linux Xvfb.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import type { ElectronApplication, Page } from "playwright-core";
import { _electron } from "playwright-core";
import { build } from "vite";
import { findTestElectron } from "../../electron/setup/find-electron.mjs";
import { openDisplay } from "../window/display";
import type { BenchHooks } from "./window/main";
import type { RunShape } from "./window/scripted-run";

const { json, seconds: given } = new Command()
  .option("--json <file>")
  .option("--seconds <n>", "seconds of 1,000 events", "60")
  .parse()
  .opts<{ json?: string; seconds: string }>();
const seconds = Number(given);

const busy: RunShape = { seconds, stepMs: 0.95, taskGapMs: 300 };
const hour: RunShape = { seconds: 3600, stepMs: 10, taskGapMs: 3_000 };
const scrubs = 200;
const folder = resolve("test/artifacts/bench-window");

async function buildMain(): Promise<void> {
  await build({
    ...{ configFile: false, logLevel: "warn" },
    build: {
      ...{ ssr: "test/bench/window/main.ts", outDir: folder, emptyOutDir: true },
      rollupOptions: { external: ["electron"], output: { entryFileNames: "main.js" } },
    },
  });
  const manifest = { name: "topas-bench-window", version: "1.0.0", type: "module", main: "main.js" };
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest));
}

async function inWindow<Found>(
  display: string | undefined,
  setting: { readonly run: RunShape; readonly isLive: boolean },
  look: (app: ElectronApplication, page: Page) => Promise<Found>,
): Promise<Found> {
  const executablePath = findTestElectron();
  if (executablePath === null)
    throw new Error("There is no Electron to test with. Get it with: node electron/setup/prepare.mjs test");
  const userData = resolve(folder, "user-data");
  mkdirSync(userData, { recursive: true });
  const env = {
    ...process.env,
    ...(display === undefined ? {} : { DISPLAY: display }),
    TOPAS_USER_DATA: userData,
    TOPAS_BENCH: JSON.stringify({ builtFolder: resolve("out"), ...setting }),
  } as Record<string, string>;
  const app = await _electron.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", folder],
    env,
    timeout: 180_000,
  });
  try {
    const page = await app.firstWindow({ timeout: 180_000 });
    await page.locator("header").first().waitFor({ timeout: 60_000 });
    // The runner names functions through a helper that the page does not have.
    await page.evaluate("globalThis.__name = (named) => named");
    return await look(app, page);
  } finally {
    await app.close();
  }
}

type WithHooks = typeof globalThis & { bench: BenchHooks };

async function measureLive(app: ElectronApplication, page: Page) {
  await app.evaluate(() => (globalThis as WithHooks).bench.begin());
  await page.waitForTimeout(1_000);
  const intervals = await page.evaluate(noteFrames, (seconds - 2) * 1_000);
  while (!(await app.evaluate(() => (globalThis as WithHooks).bench.sent())).isOver) await page.waitForTimeout(100);
  const sent = await app.evaluate(() => (globalThis as WithHooks).bench.sent());
  await page.screenshot({ path: "test/artifacts/bench-window.png" });
  return {
    frameMsP50: quantile(intervals, 0.5),
    frameMsP95: quantile(intervals, 0.95),
    frameMsMax: quantile(intervals, 1),
    eventsPerS: Math.round(sent.events / sent.seconds),
    rendererMiB: Math.round(await app.evaluate(() => (globalThis as WithHooks).bench.rendererMiB())),
    journalMiB: rounded(await app.evaluate(() => (globalThis as WithHooks).bench.journalMiB())),
  };
}

/** Runs in the page: the time from one frame to the next, as the frames are scheduled. */
function noteFrames(forMs: number): Promise<number[]> {
  return new Promise((resolve) => {
    const intervals: number[] = [];
    let last: number | null = null;
    let first: number | null = null;
    const frame = (now: number) => {
      first ??= now;
      if (last !== null) intervals.push(now - last);
      last = now;
      if (now - first < forMs) requestAnimationFrame(frame);
      else resolve(intervals);
    };
    requestAnimationFrame(frame);
  });
}

async function measureScrubbing(app: ElectronApplication, page: Page) {
  const scrubber = page.getByTestId("scrubber");
  await scrubber.waitFor({ timeout: 60_000 });
  const startedAt = performance.now();
  const kept = await app.evaluate(() => (globalThis as WithHooks).bench.kept());
  // The page hears of the time before it was opened piece by piece.
  while (Number(await scrubber.getAttribute("min")) > kept.fromMs) {
    if (performance.now() - startedAt > 120_000) throw new Error("The hour did not arrive within two minutes.");
    await page.waitForTimeout(200);
  }
  const historyLoadS = (performance.now() - startedAt) / 1000;
  const times = await page.evaluate(scrub, scrubs);
  await page.screenshot({ path: "test/artifacts/bench-window-hour.png" });
  return {
    historyEvents: kept.events,
    historyMinutes: rounded(hour.seconds / 60 - kept.fromMs / 60_000),
    historyLoadS: rounded(historyLoadS),
    scrubMsP50: quantile(times, 0.5),
    scrubMsP95: quantile(times, 0.95),
    scrubMsMax: quantile(times, 1),
    hourRendererMiB: Math.round(await app.evaluate(() => (globalThis as WithHooks).bench.rendererMiB())),
  };
}

/** Runs in the page: from moving the knob to a random moment until the next frame has been drawn. */
async function scrub(times: number): Promise<number[]> {
  const knob = document.querySelector<HTMLInputElement>("[data-testid=scrubber]");
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  if (knob === null || set === undefined) throw new Error("There is no scrubber.");
  const [from, to] = [Number(knob.min), Number(knob.max)];
  const taken: number[] = [];
  let seed = 1;
  for (let index = 0; index < times; index += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const target = from + (seed / 2_147_483_647) * (to - from - 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const startedAt = performance.now();
    set.call(knob, String(Math.round(target)));
    knob.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve();
        channel.port2.postMessage(null);
      });
    });
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

await buildMain();
const display = await openDisplay();
try {
  const live = await inWindow(display.name, { run: busy, isLive: true }, measureLive);
  console.error(JSON.stringify(live));
  const scrubbing = await inWindow(display.name, { run: hour, isLive: false }, measureScrubbing);
  const result = { ...live, ...scrubbing };
  console.log(JSON.stringify(result, null, 2));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  await display.close();
}
