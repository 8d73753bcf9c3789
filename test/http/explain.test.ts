/** What the server says about its decisions: explain, the queue, the policy. */
import { describe, expect, it } from "vitest";
import type { RequestRecord } from "../../core/view/request-record";
import { explainSummary } from "../../electron/http/explain-summary";
import { errorOf, hello, startServer } from "./start-server";

const record: RequestRecord = {
  ...{
    requestId: "r/1",
    label: "coder#2",
    agent: "coder",
    taskId: "crew/7",
    workflowId: "crew",
    stageId: "code",
    priority: "high",
  },
  ...{ outcome: "finished", ending: "end_of_sequence" },
  ...{ arrivedAtMs: 1_000, admittedAtMs: 4_200, firstTokenAtMs: 4_500, endedAtMs: 9_000, slot: 1 },
  ...{
    promptTokens: 700,
    reusedTokens: 100,
    forkedTokens: 512,
    forkedFromSlot: 0,
    computedTokens: 88,
    generatedTokens: 42,
  },
  restarts: 1,
  waits: [
    { fromMs: 1_000, toMs: 1_200, code: "HELD_FOR_PREFIX", sentence: "Slot 0 is kept.", decision: 5 },
    { fromMs: 1_200, toMs: 4_200, code: "NO_FREE_SLOT", sentence: "All 4 slots are busy.", decision: 6 },
  ],
  admittedBecause: "coder#2 to slot 1, because it is next.",
};

describe("explain", () => {
  it("gives the waits with their reasons, and where the prompt's tokens came from", async () => {
    const { live, url } = await startServer();
    live.records.set("r/1", record);
    const response = await fetch(`${url}/requests/${encodeURIComponent("r/1")}/explain`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ...{ cache_break: null, evicted: [], last_evicted_by: null },
      ...{ object: "request.explanation", request_id: "r/1", label: "coder#2", agent: "coder" },
      ...{
        task_id: "crew/7",
        workflow_id: "crew",
        stage_id: "code",
        priority: "high",
        outcome: "finished",
        ending: "end_of_sequence",
      },
      summary:
        "It waited 3.20 s (All 4 slots are busy). Of 700 prompt tokens 100 were reused in place, 512 were forked from slot 0 and 88 were computed (again after a restart) in slot 1. " +
        "The engine was restarted under it once. The first token came after 3.50 s. It ended (end_of_sequence) after 8.00 s with 42 tokens generated.",
      waited_ms: 3_200,
      waits: [
        { code: "HELD_FOR_PREFIX", sentence: "Slot 0 is kept.", decision: 5, from_ms: 1_000, to_ms: 1_200, ms: 200 },
        {
          code: "NO_FREE_SLOT",
          sentence: "All 4 slots are busy.",
          decision: 6,
          from_ms: 1_200,
          to_ms: 4_200,
          ms: 3_000,
        },
      ],
      ...{ admitted_because: "coder#2 to slot 1, because it is next.", slot: 1 },
      prompt: { tokens: 700, reused_in_place: 100, forked: 512, forked_from_slot: 0, computed: 88 },
      ...{ generated_tokens: 42, ttft_ms: 3_500, duration_ms: 8_000, restarts: 1 },
    });
  });

  it("finds a chat answer by its x-request-id and by the id in its body, open and ended", async () => {
    const { client, url } = await startServer({ answers: ["a"] });
    const { data, response } = await client.chat.completions.create(hello).withResponse();
    for (const id of [response.headers.get("x-request-id"), data.id]) {
      const explained = await (await fetch(`${url}/requests/${id}/explain`)).json();
      expect(explained).toMatchObject({ request_id: response.headers.get("x-request-id"), outcome: "finished" });
    }
  });

  it("counts the wait of a request that still waits", async () => {
    const { live, url } = await startServer();
    live.records.set("w", {
      ...record,
      ...{
        outcome: "waiting",
        ending: null,
        admittedAtMs: null,
        firstTokenAtMs: null,
        endedAtMs: null,
        slot: null,
        restarts: 0,
      },
      waits: [{ fromMs: 1_000, toMs: null, code: "NO_FREE_SLOT", sentence: "All 4 slots are busy.", decision: 6 }],
    });
    expect(await (await fetch(`${url}/requests/w/explain`)).json()).toMatchObject({
      ...{ waited_ms: 4_000, ttft_ms: null, duration_ms: null },
      waits: [{ to_ms: null, ms: 4_000 }],
      summary: "It has waited 4.00 s so far (All 4 slots are busy).",
    });
  });

  it.each<[string, Partial<RequestRecord>, number, string]>([
    [
      "ran at once",
      { waits: [], admittedAtMs: 1_000, restarts: 0, reusedTokens: 0, forkedTokens: 0, computedTokens: 700 },
      0,
      "It ran at once. Of 700 prompt tokens 700 were computed in slot 1.",
    ],
    [
      "was cancelled in the queue",
      {
        outcome: "cancelled",
        ending: "The client closed the connection.",
        admittedAtMs: null,
        firstTokenAtMs: null,
        waits: [],
        restarts: 0,
        generatedTokens: 0,
      },
      20_000,
      "It waited 20.0 s and never ran. It was cancelled (The client closed the connection) after 8.00 s with 0 tokens generated.",
    ],
    [
      "runs",
      { outcome: "running", ending: null, endedAtMs: null, restarts: 2 },
      3_200,
      "The engine was restarted under it 2 times. The first token came after 3.50 s. 42 tokens are generated so far.",
    ],
  ])("sums up a request that %s", (_what, change, waitedMs, words) => {
    expect(explainSummary({ ...record, ...change }, waitedMs)).toContain(words);
  });

  it("of an unknown request is a 404 in OpenAI's shape", async () => {
    const { url } = await startServer();
    const response = await fetch(`${url}/requests/nope/explain`);
    expect(response.status).toBe(404);
    expect(await errorOf(response)).toMatchObject({
      code: "request_not_found",
      type: "invalid_request_error",
      param: "id",
    });
  });
});

describe("the queue", () => {
  it("gives order, age and reason of all that wait", async () => {
    const { live, client, url } = await startServer();
    const open = ["a", "b", "c"].map((agent) =>
      client.chat.completions.create(hello, { headers: { "X-Agent": agent } }).catch(() => null),
    );
    await live.submitted(3);
    live.requests[0]?.admit();
    const queue = (await (await fetch(`${url}/queue`)).json()) as { data: { agent: string }[] };
    expect(queue).toMatchObject({ object: "list", policy: "topas", running: 1 });
    expect(queue.data).toHaveLength(2);
    expect(queue.data.map(({ agent }) => agent).sort()).toEqual(
      live.requests
        .slice(1)
        .map(({ spec }) => spec.agent)
        .sort(),
    );
    expect(queue.data[0]).toMatchObject({
      ...{ place: 1, age_ms: 3_000, prompt_tokens: 3, score_s: 1.5, decision: 7 },
      reason: { code: "NO_FREE_SLOT", sentence: "All slots are busy." },
    });
    for (const request of live.requests) request.cancel("The test is over.");
    expect(await Promise.all(open)).toEqual([null, null, null]);
  });
});

describe("the policy", () => {
  it("can be read and changed", async () => {
    const { live, url } = await startServer();
    const put = (body: unknown) =>
      fetch(`${url}/policy`, {
        method: "PUT",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
    expect(await (await fetch(`${url}/policy`)).json()).toEqual({ object: "policy", policy: "topas" });
    expect(await (await put({ policy: "fcfs" })).json()).toEqual({ object: "policy", policy: "fcfs" });
    expect(live.policy).toBe("fcfs");
    const wrong = await put({ policy: "lifo" });
    expect(wrong.status).toBe(400);
    expect(await errorOf(wrong)).toMatchObject({
      param: "policy",
      message: expect.stringContaining("Wrong value for 'policy': choose one of topas, fcfs, "),
    });
    expect(live.policy).toBe("fcfs");
  });
});
