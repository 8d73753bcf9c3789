/** `GET /v1/decisions/{n}/inspect` over the real scheduler: what it says fits what the queue and `explain` say. */
import OpenAI from "openai";
import { expect, it, onTestFinished } from "vitest";
import { createHttpServer } from "../../electron/http/server";
import { createLive } from "../../electron/live/create-live";
import { scriptedStarter } from "../support/scripted-starter";
import { errorOf } from "./start-server";

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

interface InspectionBody {
  readonly object: string;
  readonly decision: number;
  readonly kind: string;
  readonly verdict: string;
  readonly margin_ms: number | null;
  readonly candidates: readonly {
    label: string;
    request_id: string;
    score_ms: number;
    terms_ms: Record<string, number>;
  }[];
  readonly others: readonly { policy: string; is_same: boolean }[];
  readonly flips: { target: string | null; list: readonly { sentence: string }[]; asked: number };
  readonly expectations: readonly { what: string; predicted: number; happened: number | null; state: string }[];
}

async function serve() {
  const { start } = scriptedStarter({});
  const live = createLive({ startEngine: start, policy: "topas" });
  const server = await createHttpServer({ live, host: "127.0.0.1", port: 0, log });
  onTestFinished(async () => {
    await server.close();
    await live.shutdown();
  });
  await live.load({
    ...{ modelPath: "scripted.gguf", modelId: "scripted", noiseModel: false, slots: 1, slotTokens: 256 },
    ...{ gpu: "cpu", gpuLayers: "auto", threads: 1 },
  });
  const client = new OpenAI({ baseURL: server.url, apiKey: "none", maxRetries: 0 });
  const get = (path: string) => fetch(`${server.url}/${path}`);
  return { client, get, live };
}

function question(agent: string) {
  const messages = [
    { role: "system" as const, content: `You are ${agent}. `.repeat(10) },
    { role: "user" as const, content: "Go on." },
  ];
  return { model: "scripted", messages, max_tokens: 8, temperature: 0 };
}

it("takes the decisions of a run apart, and its figures add up", async () => {
  const { client, get, live } = await serve();
  await Promise.all(["a", "b", "c", "a"].map((agent) => client.chat.completions.create(question(agent))));
  const { decisions } = live.view.totals;
  expect(decisions).toBeGreaterThan(3);
  let admitted = 0;
  for (let number = 1; number <= decisions; number += 1) {
    const answer = await get(`decisions/${number}/inspect`);
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as InspectionBody;
    expect(body).toMatchObject({ object: "decision.inspection", decision: number });
    for (const { terms_ms, score_ms } of body.candidates) {
      expect(Object.values(terms_ms).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(score_ms, 6);
    }
    expect(body.others.map(({ policy }) => policy)).toEqual(["fcfs", "lpm"]);
    if (body.kind !== "admit" && body.kind !== "evict") continue;
    admitted += 1;
    const requestId = body.candidates[0]?.request_id ?? "";
    const explained = await (await get(`requests/${requestId}/explain`)).json();
    expect(explained.admitted_because).toBe(body.verdict);
    const answered = body.expectations.find(({ what }) => what.endsWith("answers with"));
    expect(answered).toMatchObject({ happened: explained.generated_tokens, state: "happened" });
    const computed = body.expectations.find(({ what }) => what.includes("computes"));
    expect(computed?.happened).toBe(explained.prompt.computed);
  }
  expect(admitted).toBe(4);
});

it("says which decisions there are, and what a number must be", async () => {
  const { get } = await serve();
  const none = await get("decisions/7/inspect");
  expect(none.status).toBe(404);
  expect(await errorOf(none)).toMatchObject({ code: "decision_not_found", param: "number" });
  for (const wrong of ["0", "-1", "1.5", "last", "9".repeat(30)]) {
    const answer = await get(`decisions/${wrong}/inspect`);
    expect(answer.status).toBe(400);
    expect(await errorOf(answer)).toMatchObject({ code: "invalid_value", param: "number" });
  }
});
