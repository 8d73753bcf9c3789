/** Priority, client and deadline as clients say them, and what becomes of them on the real scheduler. */
import { describe, expect, it } from "vitest";
import { readHints } from "../../electron/http/scheduling-hints";
import { ask, gated, serveScripted, until } from "./scripted-server";
import { errorOf, post } from "./start-server";

describe("the hints of a request", () => {
  it.each([
    [{ service_tier: "priority" }, {}, { priority: "high" }],
    [{ service_tier: "flex" }, {}, { priority: "low" }],
    [{ service_tier: "auto" }, {}, {}],
    [{ priority: -3 }, {}, { priority: "high" }],
    [{ priority: 1, service_tier: "priority" }, {}, { priority: "low" }],
    [{ priority: "low" }, { "x-priority": "normal" }, {}],
    [{ deadline_ms: 250 }, {}, { deadlineMs: 1250 }],
    [{ deadline_ms: 250 }, { "x-deadline-ms": "500" }, { deadlineMs: 1500 }],
    [{ user: "anna" }, {}, { client: "anna" }],
    [{ user: "anna" }, { "x-client-id": "ben" }, { client: "ben" }],
    [undefined, {}, {}],
    [{ priority: null, deadline_ms: null, user: 7 }, {}, {}],
  ])("%j with %j are %j", (body, headers, hints) => {
    expect(readHints(headers, body, 1000)).toEqual(hints);
  });

  it.each([
    [{ priority: "urgent" }],
    [{ priority: 1.5 }],
    [{ deadline_ms: 0 }],
    [{ deadline_ms: "soon" }],
    [{ deadline_ms: 1e12 }],
  ])("%j are refused by name", async (body) => {
    const { url } = await serveScripted();
    const answer = await post(`${url}/chat/completions`, { ...ask("a", 5), ...body });
    expect(answer.status).toBe(400);
    expect((await errorOf(answer)).param).toBe(Object.keys(body)[0]);
  });
});

describe("a deadline over HTTP", () => {
  it("that cannot be met is a 400, one that passes a 504 that is not to be tried again", async () => {
    const { script, open } = gated();
    const { url, live } = await serveScripted({ slots: 1, script });
    const late = post(`${url}/chat/completions`, { ...ask("a", 5), deadline_ms: 500 }, { "x-request-id": "a" });
    const never = await post(`${url}/chat/completions`, { ...ask("b", 5), deadline_ms: 1 });
    expect(never.status).toBe(400);
    expect(await errorOf(never)).toMatchObject({ code: "deadline_unmeetable" });
    const answer = await late;
    expect(answer.status).toBe(504);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(await errorOf(answer)).toMatchObject({
      ...{ code: "deadline_exceeded", type: "timeout_error" },
      message: "Its deadline passed with 0 tokens generated.",
    });
    open();
    await until(() => Object.keys(live.view.requests).length === 0);
    expect(live.explain("a")).toMatchObject({ outcome: "cancelled" });
  });
});

describe("priority over HTTP", () => {
  it("is shown in the queue and in explain", async () => {
    const { script, open } = gated();
    const { url, live } = await serveScripted({ slots: 1, script });
    const first = post(`${url}/chat/completions`, ask("a", 5), { "x-request-id": "a" });
    await until(() => live.view.requests.a !== undefined);
    const second = post(
      `${url}/chat/completions`,
      { ...ask("b", 5), service_tier: "priority" },
      { "x-request-id": "b" },
    );
    await until(() => live.view.requests.b !== undefined);
    const queue = (await (await fetch(`${url}/queue`)).json()) as { data: object[] };
    expect(queue.data).toMatchObject([{ request_id: "b", priority: "high", deadline_in_ms: null }]);
    open();
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
    expect(await (await fetch(`${url}/requests/b/explain`)).json()).toMatchObject({ priority: "high" });
  });
});
