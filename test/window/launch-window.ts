/** Starts the built app in a real window with its own fresh settings, and writes down whatever goes wrong in it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright-core";
import { findTestElectron } from "../../electron/setup/find-electron.mjs";

/** The checkout, or a build of it elsewhere. */
const appFolder = process.env.TOPAS_TEST_APP ?? resolve(import.meta.dirname, "../..");

/** Several times what a start takes on a busy machine. */
const ATTACHED_WITHIN_MS = 40_000;

export interface LaunchOptions {
  readonly display: string | undefined;
  readonly flags?: readonly string[];
  /** Settings folder to use and keep; else a fresh one that goes with the app. */
  readonly userData?: string;
}

export interface LaunchedWindow {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly userData: string;
  /** Console errors and warnings of the page (a CSP violation is one), uncaught errors in it, and blocked requests. */
  problems(): Promise<readonly string[]>;
  /** What the main process printed. */
  output(): string;
  close(): Promise<void>;
}

/** How the app is started by hand, for what ends before there is a window. */
export function launchCommand({ display, flags = [], userData }: LaunchOptions) {
  const env = { ...process.env } as Record<string, string>;
  if (display !== undefined) env.DISPLAY = display;
  if (userData !== undefined) env.TOPAS_USER_DATA = userData;
  return { file: electronFile(), args: ["--disable-gpu", appFolder, ...flags], env };
}

export async function launchWindow(options: LaunchOptions): Promise<LaunchedWindow> {
  const userData = options.userData ?? (await mkdtemp(join(tmpdir(), "topas-window-")));
  const { file, args, env } = launchCommand({ ...options, userData });
  const app = await attach({ executablePath: file, args, env });
  let output = "";
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  app.process().stdout?.on("data", read);
  app.process().stderr?.on("data", read);
  const page = await app.firstWindow();
  return {
    app,
    page,
    userData,
    async problems() {
      const said = (await page.consoleMessages({ filter: "all" })).filter((message) =>
        ["error", "warning"].includes(message.type()),
      );
      const thrown = await page.pageErrors({ filter: "all" });
      const blocked = output.split("\n").filter((line) => line.startsWith("Blocked a request"));
      return [...said.map((message) => message.text()), ...thrown.map((error) => error.message), ...blocked];
    },
    output: () => output,
    async close() {
      await app.close();
      if (options.userData === undefined) await rm(userData, { recursive: true, force: true });
    },
  };
}

/**
 * On a busy machine Playwright now and then attaches to Electron's main process too early and then waits for ever, for an
 * app that came up all the same without it. Seen only with Playwright, so another start is the answer.
 */
async function attach(options: Parameters<typeof _electron.launch>[0], tries = 3): Promise<ElectronApplication> {
  try {
    return await _electron.launch({ ...options, timeout: ATTACHED_WITHIN_MS });
  } catch (error) {
    if (tries <= 1 || (error as Error).name !== "TimeoutError") throw error;
    return attach(options, tries - 1);
  }
}

function electronFile(): string {
  const file = findTestElectron();
  if (file === null)
    throw new Error("There is no Electron to test with. Get it with: node electron/setup/prepare.mjs test");
  return file;
}
