/** Recordings in the real window: opened by name, by dropping and from the dialogue, saved, and nothing can be done in one. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TopasBridge } from "../../core/contract/window";
import { openRecording } from "../../electron/trace/opened-recording";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { recordedLines } from "../sim/journal-file";
import { type Display, openDisplay } from "./display";
import { type LaunchedWindow, launchWindow } from "./launch-window";

const SOON = { timeout: 60_000 };
let display: Display;
let folder: string;
let recording: string;
let launched: LaunchedWindow | null = null;

beforeAll(async () => {
  display = await openDisplay();
  folder = await mkdtemp(join(tmpdir(), "topas-recordings-test-"));
  await writeNoiseModel(join(folder, "noise-tiny.gguf"), { size: "tiny" });
  recording = join(folder, "crews.jsonl");
  writeFileSync(recording, `${recordedLines().join("\n")}\n`);
});
afterEach(async () => {
  await launched?.close();
  launched = null;
});
afterAll(async () => {
  await display.close();
  await rm(folder, { recursive: true });
});

async function open(...flags: string[]): Promise<LaunchedWindow> {
  const model = join(folder, "noise-tiny.gguf");
  launched = await launchWindow({
    display: display.name,
    flags: ["--model", model, "--port", "0", "--gpu", "cpu", "--threads", "1", ...flags],
  });
  return launched;
}

const command = (page: Page, name: "closeRecording" | "saveRecording" | "saveTrace" | "openRecording" | "pauseQueue") =>
  page.evaluate((called) => (globalThis as unknown as { topas: TopasBridge }).topas[called](), name);

const header = (page: Page) => page.locator("header");

describe("recordings in the window", () => {
  test("one named on the command line is shown at once, and the live server after it is closed", async () => {
    const { page, problems } = await open(recording);
    await page.getByTestId("panel-lanes").waitFor(SOON);
    const { history } = await openRecording(recording);
    const finished = history.newest.totals.finishedRequests;
    expect(finished).toBeGreaterThan(5);
    expect(await command(page, "pauseQueue")).toEqual({
      ok: false,
      message: "This is a recording: nothing in it can be changed.",
    });
    const inspected = await page.evaluate(() =>
      (globalThis as unknown as { topas: TopasBridge }).topas.inspectDecision(1),
    );
    expect(inspected.kind).toBe("found");
    await command(page, "closeRecording");
    await page.getByTestId("start-screen").waitFor(SOON);
    expect(await problems()).toEqual([]);
  });

  test("one that is dropped is shown, and a foreign file is refused with its line", async () => {
    const { page } = await open();
    await page.getByTestId("start-screen").waitFor(SOON);
    await dropped(page, join(folder, "noise-tiny.gguf"));
    await page.getByText("Line 1: this is not a recording of this app").waitFor(SOON);
    await dropped(page, recording);
    await page.getByTestId("panel-lanes").waitFor(SOON);
  });

  test("this run is saved from the window, as a recording and as a trace", async () => {
    const { app, page } = await open();
    await header(page).getByText("text is meaningless").waitFor(SOON);
    const [saved, trace] = [join(folder, "mine.topas.jsonl.gz"), join(folder, "mine.trace.json")];
    const choose = (filePath: string) =>
      app.evaluate(({ dialog }, path) => {
        dialog.showSaveDialog = async () => ({ canceled: false, filePath: path });
      }, filePath);
    await choose(saved);
    expect(await command(page, "saveRecording")).toEqual({ ok: true });
    expect((await openRecording(saved)).history.newest.engine.phase).toBe("ready");
    await choose(trace);
    expect(await command(page, "saveTrace")).toEqual({ ok: true });
    expect(JSON.parse(readFileSync(trace, "utf8")).traceEvents.length).toBeGreaterThan(3);
    await choose(join(folder, "no-such-folder", "x"));
    expect(await command(page, "saveTrace")).toMatchObject({ ok: false, message: expect.stringMatching(/ENOENT/) });
    await choose("");
    expect(await command(page, "saveTrace")).toEqual({ ok: true });
    expect(existsSync(join(folder, "no-such-folder"))).toBe(false);
  });
});

/** A file as the system hands it over: only such a one has a path. */
async function dropped(page: Page, file: string): Promise<void> {
  await page.evaluate(() => {
    const input = document.createElement("input");
    Object.assign(input, { type: "file", id: "given" });
    document.body.append(input);
  });
  await page.locator("#given").setInputFiles(file);
  await page.evaluate(() => {
    const input = document.querySelector("#given") as HTMLInputElement;
    const data = new DataTransfer();
    for (const given of input.files ?? []) data.items.add(given);
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    input.remove();
  });
}
