/** The page by keyboard and pointer alone, in a real Chromium: keys, menu, palette, the drawer, and what is asked of the server. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { PICTURE_MOMENTS } from "../renderer/made-up/picture-moments";
import { type OpenedPage, openPage } from "../renderer/open-page";
import { openStudio, type Studio } from "../renderer/take-pictures";

let studio: Studio;
let opened: OpenedPage;
let page: Page;
beforeAll(async () => {
  studio = await openStudio();
});
afterAll(() => studio.close());

beforeEach(async () => {
  const moment = PICTURE_MOMENTS.find(({ name }) => name === "live");
  if (moment === undefined) throw new Error("There is no moment to look at.");
  const { url } = studio;
  const viewport = { width: 1440, height: 900 };
  opened = await openPage(studio.browser, { ...moment, url, colorScheme: "dark", viewport });
  page = opened.page;
});
afterEach(async () => {
  expect(opened.problems).toEqual([]);
  await page.close();
});

/** The commands that the page has sent, each with what it gave along. */
const said = () => page.evaluate(() => (window as unknown as { said: unknown[][] }).said);
const rows = () => page.getByTestId("queue-row");
const line = () => page.getByTestId("paused-line");
const eventShown = async () =>
  Number(/Event ([\d,]+)/.exec((await line().textContent()) ?? "")?.[1]?.replaceAll(",", ""));

test("Space stops at the newest moment and goes on; Left and Right step by event, J and K by decision", async () => {
  await page.keyboard.press("Space");
  await line().waitFor();
  const newest = await eventShown();
  await page.keyboard.press("ArrowLeft");
  expect(await eventShown()).toBe(newest - 1);
  await page.keyboard.press("ArrowRight");
  expect(await eventShown()).toBe(newest);
  await page.keyboard.press("j");
  const decision = await eventShown();
  expect(decision).toBeLessThan(newest);
  await page.keyboard.press("j");
  expect(await eventShown()).toBeLessThan(decision);
  await page.keyboard.press("k");
  expect(await eventShown()).toBe(decision);
  await page.keyboard.press("Space");
  await expect.poll(() => line().count()).toBe(0);
});

test("one selection marks the row, its node or task, and its candidate; Enter opens the row's decision, Esc closes it", async () => {
  await rows().first().focus();
  await page.keyboard.press("ArrowDown");
  expect(await rows().nth(1).getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("Enter");
  await page.getByTestId("inspection").waitFor();
  const marked = await page
    .locator("[aria-pressed=true][data-selectable]")
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.testid ?? ""));
  expect(marked).toContain("candidate");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByTestId("inspection").count()).toBe(0);
});

test("a row's menu moves its request up, with Undo; the menu key opens it too", async () => {
  await rows().nth(1).click({ button: "right" });
  const requestId = await rows().nth(1).getAttribute("data-request");
  await page.getByRole("menuitem", { name: "Move up to the front" }).click();
  await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
  expect(await said()).toEqual(
    expect.arrayContaining([
      ["moveUp", requestId],
      ["undoMoveUp", requestId],
    ]),
  );
  await rows().first().focus();
  await page.keyboard.press("ContextMenu");
  await page.getByTestId("request-menu").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByTestId("request-menu").count()).toBe(0);
  expect(
    await rows()
      .first()
      .evaluate((row) => row === document.activeElement),
  ).toBe(true);
});

test("the palette finds an act by its words; the views have keys; R saves; ? shows all keys", async () => {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("pause queue");
  await page.keyboard.press("Enter");
  await page.getByTestId("toast").waitFor();
  await page.keyboard.press("r");
  expect((await said()).map(([name]) => name)).toEqual(expect.arrayContaining(["pauseQueue", "saveRecording"]));
  await page.keyboard.press("Control+3");
  await page.getByRole("heading", { name: "Workflows" }).waitFor();
  await page.keyboard.press("[");
  await page.getByTestId("panel-queue").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "All keys" }).waitFor();
});

test("dragging the bar over the lanes shows a past moment in all panels, its end the newest again", async () => {
  const scrubber = page.getByTestId("scrubber");
  const tokens = () => page.getByTestId("panel-residency").locator("header").textContent();
  const newest = await tokens();
  await scrubber.fill(String(Number(await scrubber.getAttribute("max")) / 2));
  await line().waitFor();
  expect(await tokens()).not.toBe(newest);
  await scrubber.fill((await scrubber.getAttribute("max")) ?? "");
  await expect.poll(() => line().count()).toBe(0);
  expect(await tokens()).toBe(newest);
});
