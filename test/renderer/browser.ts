/**
 * A browser for looking at the page: the Electron of the tests, which opens a plain window for each page. The same
 * Chromium as the app's own, and nothing to install.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { _electron, type Page } from "playwright-core";
import { findTestElectron } from "../../electron/setup/find-electron.mjs";
import { openDisplay } from "../window/display";

export interface TestBrowser {
  newPage(options: {
    readonly colorScheme: "dark" | "light";
    readonly viewport: { readonly width: number; readonly height: number };
  }): Promise<Page>;
  close(): Promise<void>;
}

/** Stays alive without a window. */
const MAIN = 'import { app } from "electron";\napp.on("window-all-closed", () => undefined);\n';

/** An app of its own in a fresh folder: Electron starts folders with a manifest. */
function writeApp(): string {
  const folder = mkdtempSync(join(tmpdir(), "topas-pictures-"));
  const manifest = { name: "topas-pictures", version: "1.0.0", type: "module", main: "main.js" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "main.js"), MAIN);
  return folder;
}

export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = findTestElectron();
  if (executablePath === null)
    throw new Error("There is no Electron to test with. Get it with: node electron/setup/prepare.mjs test");
  const display = await openDisplay();
  const folder = writeApp();
  const env = { ...process.env, ...(display.name === undefined ? {} : { DISPLAY: display.name }) };
  const app = await _electron.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", folder],
    env: env as Record<string, string>,
  });
  return {
    async newPage({ colorScheme, viewport }) {
      const opened = app.waitForEvent("window");
      await app.evaluate(({ BrowserWindow }, { width, height }) => {
        const window = new BrowserWindow({ width, height, useContentSize: true, frame: false });
        void window.loadURL("about:blank");
      }, viewport);
      const page = await opened;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      return page;
    },
    async close() {
      await app.close();
      await display.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
