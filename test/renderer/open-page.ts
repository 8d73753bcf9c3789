/** Opens the built page in a browser with a stand-in for the preload: its commands are noted down, its port is ours. */
import type { Page } from "playwright-core";
import type { AppStatus, PortMessage } from "../../core/contract/window";
import type { InspectionResult } from "../../core/inspect/inspection";
import type { LiveView } from "../../core/view/view";
import type { ViewEvent } from "../../core/view/view-event";
import type { TestBrowser } from "./browser";

export interface PageOptions {
  readonly url: string;
  /** The snapshot. */
  readonly view: LiveView;
  /** What happens after it. */
  readonly events?: readonly ViewEvent[];
  readonly status: AppStatus;
  readonly colorScheme: "dark" | "light";
  /** Answers of `inspectDecision`, by decision; any other one is too old. */
  readonly inspections?: Readonly<Record<number, InspectionResult>>;
  readonly viewport: { readonly width: number; readonly height: number };
}

export interface OpenedPage {
  readonly page: Page;
  /** What the page wrote to its console as an error, and faults nobody caught. */
  readonly problems: string[];
  send(message: PortMessage): Promise<void>;
}

export async function openPage(browser: TestBrowser, options: PageOptions): Promise<OpenedPage> {
  const page = await browser.newPage({ colorScheme: options.colorScheme, viewport: options.viewport });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  // The runner names functions through a helper that the page does not have.
  await page.addInitScript("globalThis.__name = (named) => named");
  await page.addInitScript((given) => Object.assign(window, { inspections: given }), options.inspections ?? {});
  await page.addInitScript(standInForPreload);
  await page.goto(options.url);
  const send = (message: PortMessage) =>
    page.evaluate((sent) => (window as unknown as { sendToPage(message: unknown): void }).sendToPage(sent), message);
  await send({ kind: "snapshot", view: options.view, status: options.status });
  const { events = [] } = options;
  if (events.length > 0) await send({ kind: "events", events, nowMs: options.status.nowMs });
  await page.locator("header").first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  // What was sent is shown with the next frame.
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
  return { page, problems, send };
}

/** Runs in the page before its own scripts. */
function standInForPreload(): void {
  const said: unknown[][] = [];
  const answer =
    (name: string, value: unknown) =>
    (...given: unknown[]) => {
      said.push([name, ...given]);
      return Promise.resolve(value);
    };
  const commands = [
    "runDemo",
    "stopDemo",
    "choosePolicy",
    "chooseModelFile",
    "loadStarterModel",
    "cancelRequest",
    "pauseQueue",
    "resumeQueue",
    "moveUp",
    "undoMoveUp",
    "pinPrefix",
    "unpinPrefix",
    "openRecording",
    "openDroppedFile",
    "closeRecording",
    "saveRecording",
    "saveTrace",
    "copyText",
    "restartEngine",
  ];
  const topas: Record<string, unknown> = {
    readEngineLog: answer("readEngineLog", "llama_model_load: done\nGGML_ASSERT failed\nabort"),
  };
  const { inspections } = window as unknown as { inspections?: Record<number, unknown> };
  topas.inspectDecision = (decision: number) =>
    Promise.resolve(inspections?.[decision] ?? { kind: "forgotten", firstKept: decision + 1, lastKept: decision + 9 });
  for (const name of commands) topas[name] = answer(name, { ok: true });
  const channel = new MessageChannel();
  let handedOver = false;
  const sendToPage = (message: unknown) => {
    if (!handedOver) window.postMessage("topas-port", location.origin, [channel.port2]);
    handedOver = true;
    channel.port1.postMessage(message);
  };
  Object.assign(window, { topas, said, sendToPage });
}
