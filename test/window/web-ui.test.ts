/** The window's page in a browser: live data, commands, recordings, and who may see it. The tests' Electron is the browser. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type App, createApp } from "../../electron/app/create-app";
import { parseServerOptions } from "../../electron/app/options";
import { temporaryFolder } from "../catalogue/temporary-folder";
import type { TestBrowser } from "../renderer/browser";
import { openBrowser } from "../renderer/browser";
import { recordedLines } from "../sim/journal-file";
import { scriptedStarter } from "../support/scripted-starter";

const SOON = { timeout: 30_000 };
const viewport = { width: 1440, height: 900 };
let browser: TestBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function serve(...flags: string[]): Promise<{ readonly app: App; readonly origin: string }> {
  const { start } = scriptedStarter();
  const app = await createApp(parseServerOptions(["--port", "0", "--slots", "2", "--context", "256", ...flags]), {
    version: "1.0.0",
    startEngine: start,
    journalFolder: path.join(temporaryFolder(), "journal"),
    pageFolder: path.resolve("out/renderer"),
    listModels: async () => [],
    findModel: async () => ({ modelPath: "scripted.gguf", modelId: "scripted", noiseModel: false }),
  });
  onTestFinished(() => app.dispose());
  expect(await app.loadModel(null)).toEqual({ ok: true });
  return { app, origin: new URL(app.status.url ?? "").origin };
}

async function open(url: string) {
  const page = await browser.newPage({ colorScheme: "dark", viewport });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  onTestFinished(() => page.close());
  await page.goto(url);
  return { page, problems };
}

async function ask(origin: string, text: string): Promise<void> {
  const body = JSON.stringify({ model: "scripted", max_tokens: 4, messages: [{ role: "user", content: text }] });
  const headers = { "content-type": "application/json" };
  expect((await fetch(`${origin}/v1/chat/completions`, { method: "POST", headers, body })).status).toBe(200);
}

describe("the page in a browser", () => {
  test("shows what happens, does what is asked, and knows after a reload what was before", async () => {
    const { app, origin } = await serve();
    const { page, problems } = await open(`${origin}/ui`);
    expect(page.url()).toBe(`${origin}/ui/`);
    await page.getByTestId("start-screen").waitFor(SOON);
    for (const text of ["one", "two", "three"]) await ask(origin, text);
    await page.getByTestId("panel-lanes").waitFor(SOON);
    await page.getByTestId("header-policy").getByRole("radio", { name: "FCFS" }).click();
    await expect.poll(() => app.live.view.policy).toBe("fcfs");

    await page.reload();
    await page.getByTestId("panel-lanes").waitFor(SOON);
    await page.keyboard.press("Space");
    await page.keyboard.press("j");
    await page.getByTestId("paused-line").waitFor(SOON);
    expect(problems).toEqual([]);
  });

  test("opens a recording that is dropped on it, in this page alone", async () => {
    const { app, origin } = await serve();
    const file = path.join(temporaryFolder(), "crews.jsonl");
    writeFileSync(file, `${recordedLines().join("\n")}\n`);
    const { page } = await open(`${origin}/ui/`);
    await page.getByTestId("start-screen").waitFor(SOON);
    await page.evaluate(() => {
      const input = document.createElement("input");
      document.body.append(Object.assign(input, { type: "file", id: "given" }));
    });
    await page.locator("#given").setInputFiles(file);
    await page.evaluate(() => {
      const data = new DataTransfer();
      for (const given of document.querySelector<HTMLInputElement>("#given")?.files ?? []) data.items.add(given);
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    });
    await page.getByTestId("panel-lanes").waitFor(SOON);
    expect(app.status.recording).toBeNull();
    const other = await open(`${origin}/ui/`);
    await other.page.getByTestId("start-screen").waitFor(SOON);
  });

  test("asks for the server's key once, in a browser that has not shown it", async () => {
    const { origin } = await serve("--api-key", "open-sesame");
    const { page } = await open(`${origin}/ui/`);
    await page.getByLabel("API key").fill("wrong");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("That is not the key of this server.").waitFor(SOON);
    await page.getByLabel("API key").fill("open-sesame");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByTestId("start-screen").waitFor(SOON);
    expect(page.url()).toBe(`${origin}/ui/`);
  });
});

describe("what is behind the page", () => {
  test("is closed to who has no key, and the key opens it without staying in the address", async () => {
    const { origin } = await serve("--api-key", "open-sesame");
    for (const path of ["/ui/", "/ui/feed", "/ui/recording", "/ui/index.html"])
      expect((await fetch(`${origin}${path}`)).status).toBe(401);
    const shown = await fetch(`${origin}/ui/?key=open-sesame`, { redirect: "manual" });
    expect([shown.status, shown.headers.get("location")]).toEqual([303, "/ui/"]);
    const cookie = shown.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict; Path=\/ui$/);
    expect(cookie).not.toContain("open-sesame");
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    expect((await fetch(`${origin}/ui/`, { headers })).status).toBe(200);
    expect((await fetch(`${origin}/v1/models`, { headers })).status).toBe(401);
  });

  test("is closed to pages from elsewhere, also to those of this machine", async () => {
    const { origin } = await serve();
    const post = (headers: Record<string, string>, body: unknown) =>
      fetch(`${origin}/ui/commands/pauseQueue`, {
        ...{ method: "POST", body: JSON.stringify(body) },
        headers: { "content-type": "application/json", ...headers },
      });
    const body = { session: "x", arguments: [] };
    expect((await post({ "sec-fetch-site": "same-site" }, body)).status).toBe(403);
    expect((await post({ "sec-fetch-site": "none" }, body)).status).toBe(403);
    expect((await post({}, body)).status).toBe(404);
    expect((await post({}, { session: 1 })).status).toBe(400);
    expect((await fetch(`${origin}/ui/..%2fpackage.json`)).status).toBe(403);
    const page = await fetch(`${origin}/ui/`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  });
});
