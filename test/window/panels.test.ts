/**
 * The page and the API say the same, outside the queue and the inspector: at a moment that stands still every number of the
 * residency, of the workflow graph and of the panes' titles. The page's texts are read back as numbers, formatting and all.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { type Display, openDisplay } from "./display";
import { type LaunchedWindow, launchWindow } from "./launch-window";

const SOON = { timeout: 60_000 };

interface SlotBody {
  readonly slot: number;
  readonly agent: string | null;
  readonly prefix_tokens: number;
  readonly held_tokens: number;
  readonly idle_ms: number | null;
  readonly pinned: boolean;
}

interface RequestBody {
  readonly label: string;
  readonly stage_id: string | null;
  readonly task_id: string;
  readonly outcome: string;
  readonly arrived_at_ms: number;
  readonly admitted_at_ms: number;
  readonly first_token_at_ms: number;
  readonly ended_at_ms: number;
  readonly prompt_tokens: number;
  readonly reused_tokens: number;
  readonly forked_tokens: number;
  readonly generated_tokens: number;
}

let display: Display;
let folder: string;
let launched: LaunchedWindow;
let url: string;

beforeAll(async () => {
  display = await openDisplay();
  folder = await mkdtemp(join(tmpdir(), "topas-panels-test-"));
  const modelPath = join(folder, "noise-tiny.gguf");
  await writeNoiseModel(modelPath, { size: "tiny" });
  const model = ["--model", modelPath, "--gpu", "cpu", "--threads", "1"];
  launched = await launchWindow({ display: display.name, flags: [...model, "--port", "0", "--slots", "3"] });
});
afterAll(async () => {
  await launched.close();
  await display.close();
  await rm(folder, { recursive: true });
});

async function get<Body>(path: string): Promise<Body> {
  const answer = await fetch(`${url}/${path}`);
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Body;
}

/** A stage of the declared workflow; its answer is awaited. */
async function ask(agent: string, stage: string, run: string): Promise<void> {
  const system = `You are ${agent}. ${"Mind the rules of this house. ".repeat(12)}`;
  const messages = [
    { role: "system", content: system },
    { role: "user", content: `Do ${stage} of ${run}.` },
  ];
  const metadata = { "workflow.id": "pair", "workflow.run": run, "workflow.stage": stage };
  const answer = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-agent-id": agent },
    body: JSON.stringify({ model: "default", max_tokens: 24, ignore_eos: true, messages, metadata }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

const number = (text: string) => Number(text.replaceAll(",", ""));

/** "310 ms" and "1.9 s" in milliseconds, with what the rounding may hide. */
function span(text: string): { readonly ms: number; readonly within: number } {
  const [, value = "", unit] = text.match(/^([\d.,]+) (ms|s)$/) ?? [];
  return unit === "ms" ? { ms: number(value), within: 0.51 } : { ms: 1_000 * number(value), within: 51 };
}

function expectSpan(text: string, ms: number): void {
  const shown = span(text);
  expect(Math.abs(shown.ms - ms), `${text} for ${ms} ms`).toBeLessThanOrEqual(shown.within);
}

async function shownText(one: Locator): Promise<string> {
  return (await one.allInnerTexts()).join(" ").replaceAll(/\s+/g, " ");
}

const inPanel = (page: Page, panel: string) => page.getByTestId(`panel-${panel}`);

async function compareResidency(page: Page): Promise<void> {
  const { data } = await get<{ readonly data: readonly SlotBody[] }>("residency");
  const rows = await inPanel(page, "residency").getByTestId("slot").allInnerTexts();
  expect(rows).toHaveLength(data.length);
  for (const [at, slot] of data.entries()) {
    const text = (rows[at] ?? "").replaceAll(/\s+/g, " ");
    expect(text).toContain(`slot ${slot.slot}`);
    if (slot.held_tokens === 0) continue;
    expect(text).toContain(slot.agent);
    const [, prefix = "", tail = ""] = text.match(/([\d,]+) \+ ([\d,]+)/) ?? [];
    expect(number(prefix)).toBe(Math.min(slot.prefix_tokens, slot.held_tokens));
    expect(number(prefix) + number(tail)).toBe(slot.held_tokens);
    expect(text.includes("pinned")).toBe(slot.pinned);
  }
  const title = await shownText(inPanel(page, "residency").locator("header"));
  const [, held = ""] = title.match(/([\d,]+) of [\d,]+ tokens/) ?? [];
  expect(number(held)).toBe(data.reduce((sum, slot) => sum + slot.held_tokens, 0));
}

/** The share that was reused, of all prompt tokens, and the times in the queue's title. */
async function compareTitles(page: Page, requests: readonly RequestBody[]): Promise<void> {
  const sum = (read: (request: RequestBody) => number) => requests.reduce((all, request) => all + read(request), 0);
  const share = sum((one) => one.reused_tokens + one.forked_tokens) / sum((one) => one.prompt_tokens);
  const residency = await shownText(inPanel(page, "residency").locator("header"));
  expect(residency).toContain(`${Math.floor(100 * share)}% of prompt tokens reused`);

  const title = await shownText(inPanel(page, "queue").locator("header"));
  const ttfts = requests.map((one) => one.first_token_at_ms - one.arrived_at_ms).sort((a, b) => a - b);
  const middle = (ttfts.length - 1) / 2;
  const median = ((ttfts[Math.floor(middle)] ?? 0) + (ttfts[Math.ceil(middle)] ?? 0)) / 2;
  expectSpan(title.match(/TTFT p50 ([\d.,]+ m?s)/)?.[1] ?? "", median);
  const runs = [...new Set(requests.map(({ task_id }) => task_id))].map((id) =>
    requests.filter(({ task_id }) => task_id === id),
  );
  const whole = runs.filter((run) => run.length === 2);
  const took = whole.map(
    (run) => Math.max(...run.map((one) => one.ended_at_ms)) - Math.min(...run.map((one) => one.arrived_at_ms)),
  );
  expectSpan(title.match(/JCT mean ([\d.,]+ m?s)/)?.[1] ?? "", took.reduce((all, ms) => all + ms, 0) / took.length);
}

/** The task of which only the first stage is over. */
async function compareGraph(page: Page, requests: readonly RequestBody[]): Promise<void> {
  const nodes = await inPanel(page, "graph").getByTestId("node").allInnerTexts();
  expect(nodes).toHaveLength(2);
  const [first = "", second = ""] = nodes.map((text) => text.replaceAll(/\s+/g, " "));
  const done = requests.find(({ stage_id, task_id }) => stage_id === "look" && task_id.includes("open"));
  expect(first).toContain(done?.label);
  expectSpan(first.match(/done in ([\d.,]+ m?s)/)?.[1] ?? "", (done?.ended_at_ms ?? 0) - (done?.admitted_at_ms ?? 0));
  expect(second).toContain("scribe");
  expect(second).toMatch(/next/);
}

/** Server's totals, as told on their own page. */
async function compareServerPage(page: Page, requests: readonly RequestBody[]): Promise<void> {
  await page.keyboard.press("Control+5");
  const facts = await shownText(page.getByTestId("page"));
  const sum = (read: (request: RequestBody) => number) => requests.reduce((all, request) => all + read(request), 0);
  const said = (name: string) => number(facts.match(new RegExp(`${name} ([\\d,]+)`))?.[1] ?? "");
  expect(said("Requests finished")).toBe(requests.length);
  expect(said("Prompt tokens")).toBe(sum((one) => one.prompt_tokens));
  expect(said("Found in a slot")).toBe(sum((one) => one.reused_tokens));
  expect(said("Copied from another slot")).toBe(sum((one) => one.forked_tokens));
  expect(said("Generated tokens")).toBe(sum((one) => one.generated_tokens));
  await page.keyboard.press("Control+1");
}

test("every number of the residency, the graph and the titles is the API's", async () => {
  const { page } = launched;
  onTestFailed(() => console.error(launched.output()));
  await expect.poll(() => page.locator("header").first().textContent(), SOON).toMatch(/noise-tiny.*meaningless/);
  url = ((await page.locator("header").first().textContent()) ?? "").match(/http:\/\/[^/]+\/v1/)?.[0] ?? "";
  const workflow = {
    workflow: "Two of them",
    stages: [
      { id: "look", agent: "scout" },
      { id: "write", agent: "scribe", after: ["look"] },
    ],
  };
  const declared = await fetch(`${url}/workflows/pair`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(workflow),
  });
  expect(declared.status, await declared.text()).toBeLessThan(300);
  for (const run of ["one", "two", "three"]) {
    await ask("scout", "look", run);
    await ask("scribe", "write", run);
  }
  expect((await fetch(`${url}/pins/scout`, { method: "PUT" })).status).toBeLessThan(300);
  await ask("scout", "look", "open");

  const { data } = await get<{ readonly data: readonly RequestBody[] }>("requests");
  expect(data).toHaveLength(7);
  await expect.poll(() => inPanel(page, "graph").getByText("done in").count(), SOON).toBe(1);
  await page.waitForTimeout(300);
  await compareResidency(page);
  await compareGraph(page, data);
  await compareTitles(page, data);
  await compareServerPage(page, data);
  expect(await launched.problems()).toEqual([]);
});
