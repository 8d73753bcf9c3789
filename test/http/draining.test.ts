/** How the server comes to its end: no new requests, the open ones may finish for a while, the rest is told. */
import { describe, expect, it } from "vitest";
import { RawClient } from "./raw-client";
import { hello, post, startServer } from "./start-server";

const apis = [
  ["chat completions", "/v1/chat/completions", hello],
  ["responses", "/v1/responses", { model: "default", input: "hello there" }],
  ["messages", "/v1/messages", { model: "default", max_tokens: 5, messages: hello.messages }],
] as const;

describe("a server that drains", () => {
  it.each(apis)("lets the open answers of %s finish and then is done", async (_api, path, body) => {
    const { live, server, origin } = await startServer();
    const whole = post(`${origin}${path}`, body);
    const queued = await live.submitted(1);
    const stream = await RawClient.post(server.port, path, { ...body, stream: true });
    const running = await live.submitted(2);
    let isDone = false;
    const drained = server.drain(60_000).then(() => {
      isDone = true;
    });
    running.admit();
    running.text("Still ");
    running.text("here.");
    running.finish();
    await stream.when((text) => text.includes("here."));
    expect(isDone).toBe(false);
    queued.admit();
    queued.text("And I.");
    queued.finish();
    await drained;
    expect(await (await whole).text()).toContain("And I.");
    expect(live.cancelled).toEqual([]);
  });

  it.each(apis)("refuses new requests of %s in their shape, with Retry-After", async (_api, path, body) => {
    const { live, server, origin } = await startServer();
    await server.drain(60_000);
    const response = await post(`${origin}${path}`, body, { "x-request-id": "late" });
    const anthropic = path === "/v1/messages";
    expect(response.status).toBe(anthropic ? 529 : 503);
    expect(response.headers.get("retry-after")).toBe("10");
    expect(response.headers.get("connection")).toBe("close");
    const message = "The server is closing. Try again later.";
    expect(await response.json()).toEqual(
      anthropic
        ? { type: "error", error: { type: "overloaded_error", message }, request_id: "late" }
        : { error: { message, type: "service_unavailable", param: null, code: "shutting_down" } },
    );
    expect(live.encoded).toEqual([]);
  });

  it("says so at /health and still lets its user look and act", async () => {
    const { live, server, origin } = await startServer();
    void post(`${origin}/v1/chat/completions`, hello).catch(() => {});
    await live.submitted();
    const drained = server.drain(60_000);
    const health = await fetch(`${origin}/health`);
    expect(health.status).toBe(503);
    expect(health.headers.get("retry-after")).toBe("10");
    expect(await health.json()).toMatchObject({ status: "draining", requests_waiting: 1 });
    expect((await fetch(`${origin}/v1/queue`)).status).toBe(200);
    expect((await post(`${origin}/v1/queue/pause`, {})).status).toBe(200);
    await server.close();
    await drained;
  });

  it("waits no longer than it was told to", async () => {
    const { live, server } = await startServer();
    const stream = await RawClient.post(server.port, "/v1/chat/completions", { ...hello, stream: true });
    await live.submitted();
    await server.drain(20);
    expect(live.cancelled).toEqual([]);
    await server.close();
    expect(await stream.whenClosed()).toContain("The server is closing.");
    expect(live.cancelled).toHaveLength(1);
  });

  it("waits no more once it is closed", async () => {
    const { live, server } = await startServer();
    const stream = await RawClient.post(server.port, "/v1/chat/completions", { ...hello, stream: true });
    await live.submitted();
    const drained = server.drain(60_000);
    await server.close();
    await drained;
    expect(await stream.whenClosed()).toContain("The server is closing.");
  });

  it("tells a client whose body arrives while it closes", async () => {
    const { live, server } = await startServer();
    const text = JSON.stringify(hello);
    const client = await RawClient.open(server.port);
    client.send(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`,
    );
    const other = await RawClient.post(server.port, "/v1/chat/completions", hello);
    await live.submitted();
    const closed = server.close();
    client.send(text);
    await closed;
    for (const each of [client, other]) {
      expect(await each.whenClosed()).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"shutting_down"/);
    }
    expect(live.requests.every((request) => request.ended)).toBe(true);
  });
});

describe("a full queue", () => {
  it.each(apis)("refuses requests of %s with 429 in their shape and Retry-After", async (_api, path, body) => {
    const { live, origin } = await startServer({ waitingMax: 1 });
    void post(`${origin}/v1/chat/completions`, hello).catch(() => {});
    await live.submitted();
    for (const stream of [false, true]) {
      const response = await post(`${origin}${path}`, { ...body, stream });
      expect(response.status).toBe(429);
      expect(response.headers.get("retry-after")).toBe("5");
      const { error } = (await response.json()) as { error: { type: string } };
      expect(error.type).toBe(path === "/v1/messages" ? "rate_limit_error" : "rate_limit_exceeded");
    }
  });
});
