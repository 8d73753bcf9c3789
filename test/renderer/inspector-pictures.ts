/**
 * Takes pictures of the page with the inspector at one decision of each kind, in both themes, into test/artifacts/window/.
 * Run: npx tsx test/renderer/inspector-pictures.ts. Needs a Chromium, as pictures.ts does.
 */
import { mkdirSync } from "node:fs";
import { openBrowser } from "./browser";
import { inspectedMoments } from "./made-up/inspected";
import { readyStatus } from "./made-up/ready-status";
import { openPage } from "./open-page";
import { buildPage, servePage } from "./vite-page";

const OUT = "test/artifacts/window";
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const;

mkdirSync(OUT, { recursive: true });
await buildPage("test/artifacts/page");
const { url, server } = await servePage("test/artifacts/page");
const browser = await openBrowser();
try {
  for (const [kind, { view, inspection }] of inspectedMoments()) {
    for (const colorScheme of ["dark", "light"] as const) {
      for (const viewport of SIZES) {
        const status = { ...readyStatus, nowMs: view.atMs + 400 };
        const inspections = { [inspection.decision]: { kind: "found" as const, inspection } };
        const opened = await openPage(browser, { url, view, status, colorScheme, viewport, inspections });
        await opened.page.keyboard.press("i");
        await opened.page.getByTestId("inspection").waitFor();
        await opened.page.screenshot({ path: `${OUT}/inspector-${kind}-${colorScheme}-${viewport.width}.png` });
        for (const problem of opened.problems) console.error(`${kind}: ${problem}`);
        await opened.page.close();
      }
    }
  }
} finally {
  await browser.close();
  server.close();
}
