/** Opens the built page at one moment and takes its picture; what axe finds and what the console says comes back. */
import { mkdirSync } from "node:fs";
import type { Server } from "node:http";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "./browser";
import type { PictureMoment } from "./made-up/picture-moments";
import { openPage } from "./open-page";
import { buildPage, servePage } from "./vite-page";

const OUT = "test/artifacts/window";

export const THEMES = ["dark", "light"] as const;
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const;

export interface Studio {
  readonly browser: TestBrowser;
  readonly url: string;
  close(): Promise<void>;
}

export async function openStudio(): Promise<Studio> {
  mkdirSync(OUT, { recursive: true });
  await buildPage("test/artifacts/page");
  const { url, server } = await servePage("test/artifacts/page");
  const browser = await openBrowser();
  return { browser, url, close: () => close(browser, server) };
}

async function close(browser: TestBrowser, server: Server): Promise<void> {
  await browser.close();
  server.close();
}

export interface Setting {
  readonly colorScheme: (typeof THEMES)[number];
  readonly viewport: (typeof SIZES)[number];
}

/** At each setting a page of its own; `look` sees it after its picture is taken. */
export async function pictureOf(
  { browser, url }: Studio,
  { name, prepare, ...moment }: PictureMoment,
  setting: Setting,
  look: (page: Page) => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<readonly string[]> {
  const { page, problems } = await openPage(browser, { ...moment, ...setting, url });
  await prepare?.(page, setting.viewport.width);
  await page.screenshot({ path: `${OUT}/${name}-${setting.colorScheme}-${setting.viewport.width}.png` });
  const found = await look(page);
  await page.close();
  return [...problems, ...found];
}

/** One line for each thing on the page that breaks a rule of access. */
export async function accessProblems(page: Page): Promise<readonly string[]> {
  // Without the legacy mode axe opens a second page, which the tests' Electron cannot do.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
