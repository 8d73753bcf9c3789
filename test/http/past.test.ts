/** What the endpoint tells of the past: lists, decisions, residency, counts for Prometheus, and where a prompt left a known one. */
import { describe, expect, it } from "vitest";
import { explainBreak } from "../../electron/http/cache-break";
import { ask, serveScripted, words } from "./scripted-server";
import { errorOf } from "./start-server";

async function served() {
  const serving = await serveScripted({ slots: 1 });
  const first = await serving.client.chat.completions.create(ask("a", 5)).withResponse();
  const second = await serving.client.chat.completions.create(ask("b", 5)).withResponse();
  const get = async (path: string) => (await fetch(`${serving.url}${path}`)).json();
  return { ...serving, get, ids: [first, second].map(({ request_id }) => request_id ?? "") };
}

describe("lists of the past", () => {
  it("lists requests newest first, filtered and limited", async () => {
    const { get, ids, url } = await served();
    const all = await get("/requests");
    expect(all.data.map((each: { request_id: string }) => each.request_id)).toEqual(ids.toReversed());
    expect(all).toMatchObject({
      has_more: false,
      data: [{ object: "request", outcome: "finished", generated_tokens: 4 }, {}],
    });
    expect(await get("/requests?limit=1")).toMatchObject({ has_more: true, data: [{ request_id: ids[1] }] });
    expect((await get("/requests?outcome=failed")).data).toEqual([]);
    expect((await get("/requests?agent=nobody")).data).toEqual([]);
    for (const query of ["limit=0", "limit=x", "outcome=odd"]) {
      const refused = await fetch(`${url}/requests?${query}`);
      expect([refused.status, (await errorOf(refused)).param]).toEqual([400, query.split("=")[0]]);
    }
  });

  it("lists decisions since a number, and one of them", async () => {
    const { get, url } = await served();
    const { data, first_kept } = await get("/decisions");
    expect(first_kept).toBe(1);
    expect(data.length).toBeGreaterThan(1);
    expect(data[0]).toMatchObject({ object: "decision", number: 1, policy: "topas", verdict: expect.any(String) });
    expect((await get("/decisions?since=1&limit=1")).data).toEqual([data[1]]);
    expect(await get("/decisions/1")).toEqual(data[0]);
    expect((await fetch(`${url}/decisions/99999`)).status).toBe(404);
  });

  it("says what each slot holds", async () => {
    const { get } = await served();
    const { data } = await get("/residency");
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ slot: 0, request_id: null, pinned: false, idle_ms: expect.any(Number) });
    expect(data[0].held_tokens).toBeGreaterThan(60);
  });

  it("counts for Prometheus under llama-server's names and its own", async () => {
    const { server } = await served();
    const response = await fetch(`${server.url.replace(/\/v1$/, "")}/metrics`);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    expect(text).toMatch(/^llamacpp:tokens_predicted_total 8$/m);
    expect(text).toMatch(/^llamacpp:requests_deferred 0$/m);
    expect(text).toMatch(/^topas:requests_total\{outcome="finished"\} 2$/m);
    expect(text).toMatch(/^topas:agent_recent_requests\{agent="agent-[\da-f]+"\} 2$/m);
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(/^(# (HELP|TYPE) [\w:]+ .+|[\w:]+(\{\w+="[^"]*"\})? (-?[\d.e+-]+|NaN))$/);
    }
  });
});

describe("the cache-break finding", () => {
  it("names the nearest known prompt, the first token that differs and the two texts", async () => {
    const { get, ids } = await served();
    expect((await get(`/requests/${ids[0]}/explain`)).cache_break).toBeNull();
    const { cache_break: found } = await get(`/requests/${ids[1]}/explain`);
    expect(found).toMatchObject({ nearest_request: ids[0], kind: "text" });
    expect(found.first_differing_token).toBeGreaterThan(60);
    expect(found.text).not.toBe(found.nearest_text);
  });

  it("tells kinds of changes apart", () => {
    const kind = (...texts: [string, string, string, boolean?]) =>
      explainBreak(texts[0], texts[1], texts[2], texts[3] ?? true).kind;
    expect(kind("You help. Now it is 2026-12-0", "7 10:00. Be kind", "6 09:00. Be kind")).toBe("clock");
    expect(kind("The current time: ", "10:31:07", "10:30:59")).toBe("clock");
    expect(kind('tools: [{"name": "', 'read", "parameters": {', 'write", "parameters": {')).toBe("reordered_tools");
    expect(kind("x-anthropic-billing-header: cc_version=2.1.", "0b8; You are", "fe2; You are")).toBe("changed_header");
    expect(kind("Session ", "0aeb0f86-14a5-4a1b-9a4e-000000000001.", "1aeb0f86-14a5-4a1b-9a4e-000000000002.")).toBe(
      "new_id",
    );
    expect(kind("You are a ", "poet", "critic")).toBe("text");
    expect(kind("It is 10:", "31", "30", false)).toBe("text");
    expect(kind(words("x", 3), "more", "")).toBe("none");
  });
});
