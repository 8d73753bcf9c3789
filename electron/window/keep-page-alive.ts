/** A page whose process died is loaded once more; if that one dies too, soon after, a page that says so takes its place. */
import type { BrowserWindow } from "electron";
import { CRASH_PAGE_URL, PAGE_URL } from "./page-address";

/** A page that lived this long has earned another try. */
const HEALTHY_AFTER_MS = 60_000;

export function keepPageAlive(window: BrowserWindow): void {
  let lastCrashAtMs = Number.NEGATIVE_INFINITY;
  window.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    console.error(`The window's page is gone: ${reason}, exit code ${exitCode}.`);
    const again = performance.now() - lastCrashAtMs < HEALTHY_AFTER_MS;
    lastCrashAtMs = performance.now();
    // A navigation that is begun while Chromium still reports the crash is lost.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      window
        .loadURL(again ? CRASH_PAGE_URL : PAGE_URL)
        .catch((cause) => console.error("The page could not be loaded again:", cause));
    });
  });
}
