/**
 * The page and the API say the same: at a moment that stands still every number of the queue, and of every decision that was
 * made, every number of the inspector. The page's texts are read back as numbers, so that its formatting is tested with it.
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
const TERMS = ["progress", "age", "priority", "fairness", "move", "slow", "reuse", "preempt"] as const;

interface CandidateBody {
  readonly label: string | null;
  readonly score_ms: number;
  readonly terms_ms: Readonly<Record<string, number>>;
}

interface InspectionBody {
  readonly decision: number;
  readonly verdict: string;
  readonly margin_ms: number | null;
  readonly candidates: readonly CandidateBody[];
  readonly decided: {
    readonly kind: string;
    readonly differences: readonly { readonly term: string; readonly ms: number }[];
  };
  readonly flips: { readonly target: string | null; readonly list: readonly { readonly sentence: string }[] };
  readonly evictions: readonly { readonly sentence: string }[];
  readonly expectations: readonly {
    readonly what: string;
    readonly unit: "ms" | "tokens";
    readonly predicted: number;
    readonly happened: number | null;
  }[];
}

interface QueueBody {
  readonly data: readonly {
    readonly place: number;
    readonly label: string;
    readonly age_ms: number;
    readonly prompt_tokens: number;
    readonly score_s: number;
    readonly reason: { readonly code: string; readonly sentence: string };
    readonly reuse: { readonly tokens: number };
  }[];
}

let display: Display;
let folder: string;
let launched: LaunchedWindow;
let url: string;

beforeAll(async () => {
  display = await openDisplay();
  folder = await mkdtemp(join(tmpdir(), "topas-inspector-test-"));
  const modelPath = join(folder, "noise-tiny.gguf");
  await writeNoiseModel(modelPath, { size: "tiny" });
  const model = ["--model", modelPath, "--gpu", "cpu", "--threads", "1"];
  const flags = [...model, "--port", "0", "--slots", "2"];
  launched = await launchWindow({ display: display.name, flags });
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

function ask(agent: string, words: number): Promise<Response> {
  const system = `You are ${agent}. ${"Mind the rules of this house. ".repeat(12)}`;
  const user = Array.from({ length: words }, (_, at) => `word${at}`).join(" ");
  const messages = [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
  const body = { model: "default", max_tokens: 24, ignore_eos: true, messages, metadata: { "workflow.stage": agent } };
  return fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-agent-id": agent },
    body: JSON.stringify(body),
  });
}

/** "+1,920" is 1920, "−3.5" is -3.5, "–" is nothing. */
function figure(text: string): number {
  const plain = text.trim().replaceAll(",", "").replace("−", "-").replace("+", "");
  return plain === "–" ? 0 : Number(plain.replace(/ .*$/, ""));
}

/** "310 ms" and "1.9 s" in milliseconds, with what the rounding may hide. */
function span(text: string): { readonly ms: number; readonly within: number } {
  const minutes = text.match(/^(\d+) min (\d+) s$/);
  if (minutes) return { ms: 60_000 * Number(minutes[1]) + 1_000 * Number(minutes[2]), within: 1_000 };
  return text.endsWith(" ms") ? { ms: figure(text), within: 0.5 } : { ms: 1_000 * figure(text), within: 51 };
}

async function texts(within: Locator | Page, testId: string): Promise<string[]> {
  return within.getByTestId(testId).allInnerTexts();
}

async function compareQueue(page: Page): Promise<void> {
  const { data } = await get<QueueBody>("queue");
  const rows = await page.getByTestId("queue-row").allInnerTexts();
  expect(rows).toHaveLength(data.length);
  for (const [at, row] of data.entries()) {
    const text = (rows[at] ?? "").replaceAll(/\s+/g, " ");
    expect(text).toContain(row.label);
    expect(text).toContain(`${row.reuse.tokens} / ${row.prompt_tokens}`);
    expect(text).toContain(row.reason.code);
    expect(text).toContain(row.reason.sentence);
    expect(figure(text)).toBe(row.place);
  }
}

async function compareDecision(page: Page, body: InspectionBody): Promise<void> {
  const panel = page.getByTestId("inspection");
  await page.locator(`[data-testid=inspection][data-decision="${body.decision}"]`).waitFor(SOON);
  const more = panel.getByRole("button", { name: /^Show \d+ more$/ });
  if ((await more.count()) > 0) await more.click();
  const scores = await texts(panel, "candidate-score");
  expect(scores.map(figure)).toEqual(body.candidates.map(({ score_ms }) => score_ms));
  for (const term of TERMS) {
    const shown = await texts(panel, `candidate-${term}`);
    const values = body.candidates.map(({ terms_ms }) => terms_ms[term]);
    // A column in which nobody has anything may be left out.
    if (shown.length > 0 || values.some((ms) => ms !== 0)) expect(shown.map(figure), term).toEqual(values);
  }
  const { differences } = body.decided;
  expect((await texts(panel, "difference-ms")).map(figure)).toEqual(differences.map(({ ms }) => ms));
  if (differences.length > 0) expect((await texts(panel, "margin")).map(figure)).toEqual([body.margin_ms]);
  const flips = await texts(panel, "flip");
  expect(flips).toHaveLength(body.flips.list.length);
  for (const [at, { sentence }] of body.flips.list.entries()) expect(flips[at]).toContain(sentence);
  expect(await texts(panel, "inspector-eviction")).toEqual(body.evictions.map(({ sentence }) => sentence));
  await compareExpectations(panel, body);
}

async function compareExpectations(panel: Locator, { expectations }: InspectionBody): Promise<void> {
  const predicted = await texts(panel, "inspector-predicted");
  const happened = await texts(panel, "inspector-happened");
  expect(predicted).toHaveLength(expectations.length);
  for (const [at, one] of expectations.entries()) {
    for (const [text, value] of [
      [predicted[at] ?? "", one.predicted],
      [happened[at] ?? "", one.happened],
    ] as const) {
      if (value === null) expect(["never", "not yet"]).toContain(text);
      else if (one.unit === "tokens") expect(figure(text)).toBe(value);
      else expect(Math.abs(span(text).ms - value)).toBeLessThanOrEqual(span(text).within);
    }
  }
}

test("every number of the queue and of the inspector is the API's", async () => {
  const { page } = launched;
  await expect.poll(() => page.locator("header").first().textContent(), SOON).toMatch(/noise-tiny.*meaningless/);
  url = ((await page.locator("header").first().textContent()) ?? "").match(/http:\/\/[^/]+\/v1/)?.[0] ?? "";
  onTestFailed(() => console.error(launched.output()));
  expect((await fetch(`${url}/queue/pause`, { method: "POST" })).status).toBe(200);
  const answers = ["planner", "writer", "critic", "planner", "writer", "critic", "planner"].map((agent, at) =>
    ask(agent, 20 + 10 * at),
  );
  await expect.poll(() => page.getByTestId("queue-row").count(), SOON).toBe(answers.length);
  await expect.poll(async () => (await get<QueueBody>("queue")).data.length, SOON).toBe(answers.length);
  await compareQueue(page);

  expect((await fetch(`${url}/queue/resume`, { method: "POST" })).status).toBe(200);
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);

  await page.locator("header button").first().focus();
  await page.keyboard.press("i");
  await page.getByTestId("inspection").waitFor(SOON);
  const newest = Number(await page.getByTestId("inspection").getAttribute("data-decision"));
  expect(newest).toBeGreaterThan(answers.length);
  const kinds = new Set<string>();
  for (let number = newest; number >= 1; number -= 1) {
    const body = await get<InspectionBody & { readonly kind: string }>(`decisions/${number}/inspect`);
    kinds.add(body.kind);
    await compareDecision(page, body);
    if (number > 1) await page.getByRole("button", { name: "Earlier decision" }).click();
  }
  expect(kinds.size).toBeGreaterThan(1);
  expect(await launched.problems()).toEqual([]);
});
