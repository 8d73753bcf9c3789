/** What surrounds the page: its limits, its checked commands, and how it begins, breaks and ends. In the real window. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElectronApplication } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TopasBridge } from "../../core/contract/window";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { type Display, openDisplay } from "./display";
import { type LaunchedWindow, launchCommand, launchWindow } from "./launch-window";

/** All that the page may ask for. The type holds the list complete, the test holds the page to it. */
const OFFERED: Record<keyof TopasBridge, true> = {
  runDemo: true,
  stopDemo: true,
  choosePolicy: true,
  chooseModelFile: true,
  loadStarterModel: true,
  cancelRequest: true,
  pauseQueue: true,
  resumeQueue: true,
  moveUp: true,
  undoMoveUp: true,
  pinPrefix: true,
  unpinPrefix: true,
  inspectDecision: true,
  openRecording: true,
  openDroppedFile: true,
  closeRecording: true,
  saveRecording: true,
  saveTrace: true,
  copyText: true,
  restartEngine: true,
  readEngineLog: true,
};

const SOON = { timeout: 60_000 };
let display: Display;
let folder: string;
let modelPath: string;
const launched: LaunchedWindow[] = [];

beforeAll(async () => {
  display = await openDisplay();
  folder = await mkdtemp(join(tmpdir(), "topas-shell-test-"));
  modelPath = join(folder, "noise-tiny.gguf");
  await writeNoiseModel(modelPath, { size: "tiny" });
});
afterEach(async () => {
  for (const window of launched.splice(0)) await window.close();
});
afterAll(async () => {
  await display.close();
  await rm(folder, { recursive: true });
});

async function open(userData?: string): Promise<LaunchedWindow> {
  const flags = ["--model", modelPath, "--port", "0", "--gpu", "cpu", "--threads", "1"];
  const window = await launchWindow({ display: display.name, flags, userData });
  launched.push(window);
  await window.page.getByTestId("start-screen").waitFor(SOON);
  // Its kind stands there once it is loaded.
  await window.page.locator("header").getByText("text is meaningless").waitFor(SOON);
  return window;
}

/** What the window shows; a crashed page's own handle is of no use any more. */
const shown = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.webContents.getTitle()));

const crashPage = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => {
    const gone = new Promise((resolve) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.once("render-process-gone", resolve);
      contents?.forcefullyCrashRenderer();
    });
    return gone.then(() => undefined);
  });

describe("the page", () => {
  test("reaches nothing but itself", async () => {
    const { page, app } = await open();
    const tries = await page.evaluate(async () => {
      const reached = (url: string) =>
        fetch(url).then(
          (answer) => String(answer.status),
          () => "blocked",
        );
      return {
        http: await reached("http://127.0.0.1:9/"),
        file: await reached("file:///etc/passwd"),
        otherHost: await reached("app://other/index.html"),
        above: await reached("/..%2f..%2fpackage.json"),
        secondWindow: window.open("https://example.org"),
        location: (await navigator.permissions.query({ name: "geolocation" })).state,
        notifications: await Notification.requestPermission(),
        offered: Object.keys((globalThis as unknown as { topas: TopasBridge }).topas).toSorted(),
      };
    });
    expect(tries).toEqual({
      http: "blocked",
      file: "blocked",
      otherHost: "blocked",
      above: "403",
      secondWindow: null,
      location: "denied",
      notifications: "denied",
      offered: Object.keys(OFFERED).toSorted(),
    });
    for (const address of ["https://example.org/", "app://ui/crashed.html"]) {
      await page.evaluate((url) => window.location.assign(url), address);
    }
    expect(await page.evaluate(() => window.location.href)).toBe("app://ui/index.html");
    expect(app.windows()).toHaveLength(1);
  });

  test("gets plain words for a command that makes no sense, and the clipboard for text", async () => {
    const { page, app } = await open();
    const answers = await page.evaluate(async () => {
      const { topas } = globalThis as unknown as { topas: TopasBridge };
      return [
        await topas.choosePolicy("lru" as never),
        await topas.cancelRequest(7 as never),
        await topas.copyText("a URL"),
      ];
    });
    expect(answers).toEqual([
      { ok: false, message: expect.stringContaining('expected one of "topas"|"fcfs"') },
      { ok: false, message: expect.stringContaining("expected string") },
      { ok: true },
    ]);
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe("a URL");
  });

  test("that is told to load a file that is no model says what is wrong", async () => {
    const { page, app } = await open();
    await app.evaluate(
      ({ dialog }, path) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
      },
      join(folder, "nothing.gguf"),
    );
    const answer = await page.evaluate(() => (globalThis as unknown as { topas: TopasBridge }).topas.chooseModelFile());
    expect(answer).toEqual({ ok: false, message: expect.stringContaining("nothing.gguf") });
  });

  test("that crashes is loaded again, and one that crashes at once again is replaced by words", async () => {
    const { app } = await open();
    await crashPage(app);
    await expect.poll(() => shown(app), SOON).toEqual(["TOPAS Desktop"]);
    await crashPage(app);
    await expect.poll(() => shown(app), SOON).toEqual(["TOPAS Desktop: the window stopped"]);
  });
});

describe("the app", () => {
  test("is there once: a second start brings the first one's window to the front and ends", async () => {
    const { app, userData } = await open();
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    expect(await isVisible()).toBe(false);
    const { file, args, env } = launchCommand({ display: display.name, userData });
    const second = spawn(file, ["--no-sandbox", ...args], { env });
    let said = "";
    second.stdout.on("data", (text) => {
      said += text;
    });
    expect(await once(second, "exit")).toEqual([0, null]);
    expect(said).toContain("already running");
    await expect.poll(isVisible, SOON).toBe(true);
  });

  test("opens where it was, and takes its engine along when it ends", async () => {
    const userData = join(folder, "user-data");
    const first = await open(userData);
    const enginePid = () =>
      first.app.evaluate(({ app }) => app.getAppMetrics().find(({ name }) => name === "TOPAS engine")?.pid ?? 0);
    await expect.poll(enginePid, SOON).toBeGreaterThan(0);
    const pid = await enginePid();
    const bounds = { x: 40, y: 30, width: 1100, height: 760 };
    await first.app.evaluate(({ BrowserWindow }, there) => BrowserWindow.getAllWindows()[0]?.setBounds(there), bounds);
    const exit = once(first.app.process(), "exit");
    await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await exit).toEqual([0, null]);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");

    const again = await open(userData);
    const where = await again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
    expect(where).toEqual(bounds);
  });

  test("that is started with a wrong option says so and ends with code 2", async () => {
    const { file, args, env } = launchCommand({ display: display.name, flags: ["--slots", "many"] });
    const started = spawn(file, ["--no-sandbox", ...args], { env });
    let said = "";
    started.stderr.on("data", (text) => {
      said += text;
    });
    expect(await once(started, "exit")).toEqual([2, null]);
    expect(said).toContain("--slots must be a whole number from 1 to 64.");
  });
});
