/** Streamed answers, chunk by chunk and byte by byte. */
import { describe, expect, it } from "vitest";
import { PromptRefused, PromptTooLong } from "../../core/contract/engine";
import { EngineUnavailable } from "../../electron/live/live";
import { countOf, RawClient } from "./raw-client";
import { errorOf, hello, post, startServer } from "./start-server";

const streamed = { ...hello, stream: true };
const path = "/v1/chat/completions";

/** The JSON objects of a stream's data lines, `[DONE]` left as it is. */
function events(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => (line === "data: [DONE]" ? "[DONE]" : JSON.parse(line.slice(6))));
}

describe("a streamed answer", () => {
  it("has the chunks of the golden sequence, with one id, time and model", async () => {
    const { url } = await startServer({ answers: ["Paris", " is"] });
    const response = await post(
      `${url}/chat/completions`,
      { ...streamed, model: "default" },
      { "x-request-id": "mine-1" },
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("x-request-id")).toBe("mine-1");
    const created = expect.any(Number) as number;
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...{ id: "chatcmpl-mine-1", object: "chat.completion.chunk", created, model: "default" },
      system_fingerprint: "fp_test-Org-Tiny-Model-Q4_1-Q4_1",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    });
    expect(events(await response.text())).toEqual([
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "Paris" }),
      chunk({ content: " is" }),
      { ...chunk({}, "stop"), timings: expect.any(Object), topas: { request_id: "mine-1", queue_ms: 40, ttft_ms: 90 } },
      "[DONE]",
    ]);
  });

  it("ends with the usage when it was asked for, and says null before", async () => {
    const { url } = await startServer({ answers: ["a", "b"] });
    const response = await post(`${url}/chat/completions`, { ...streamed, stream_options: { include_usage: true } });
    const [done, last, ...before] = events(await response.text()).reverse() as Record<string, unknown>[];
    expect(done).toBe("[DONE]");
    expect(last).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, prompt_tokens_details: { cached_tokens: 3 } },
      topas: { queue_ms: 40, ttft_ms: 90 },
    });
    expect(before.map((chunk) => chunk.usage)).toEqual([null, null, null, null]);
    expect(before.map((chunk) => "topas" in chunk)).toEqual([false, false, false, false]);
  });

  it("has no usage member at all when it was not asked for", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const chunks = events(await (await post(`${url}/chat/completions`, streamed)).text()).slice(0, -1) as object[];
    expect(chunks.filter((chunk) => "usage" in chunk)).toEqual([]);
  });

  it("says length when the room was used up", async () => {
    const { url } = await startServer({ answers: ["a", "b", "c"] });
    const chunks = events(await (await post(`${url}/chat/completions`, { ...streamed, max_tokens: 2 })).text());
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: "length" }] });
  });

  it("is empty but well-formed when the model says nothing", async () => {
    const { url } = await startServer({ answers: [] });
    const chunks = events(await (await post(`${url}/chat/completions`, streamed)).text());
    expect(chunks.map((chunk) => (chunk as { choices?: { delta: object }[] }).choices?.[0]?.delta)).toEqual([
      { role: "assistant", content: "" },
      {},
      undefined,
    ]);
  });

  it("parts thoughts from speech although their marks come in pieces", async () => {
    const { client } = await startServer({ answers: ["<th", "ink>\nLet ", "me </", "think>", "\n\nPar", "is"] });
    let thought = "";
    let said = "";
    for await (const { choices } of await client.chat.completions.create({ ...streamed, stream: true })) {
      const delta = choices[0]?.delta as { content?: string; reasoning_content?: string };
      thought += delta.reasoning_content ?? "";
      said += delta.content ?? "";
    }
    expect({ thought, said }).toEqual({ thought: "Let me ", said: "Paris" });
  });

  it("echoes service_tier", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const chunks = events(await (await post(`${url}/chat/completions`, { ...streamed, service_tier: "flex" })).text());
    expect(chunks[0]).toMatchObject({ service_tier: "flex" });
  });
});

describe("a stream that waits", () => {
  it("sends its headers and a comment at once, and comments while nothing else flows", async () => {
    const { live, server } = await startServer({ http: { timing: { keepAliveMs: 20 } } });
    const client = await RawClient.post(server.port, path, streamed);
    const request = await live.submitted();
    await client.when((text) => text.startsWith("HTTP/1.1 200 OK") && countOf(text, ": queued\n\n") >= 3);
    request.admit();
    await client.when((text) => countOf(text, ": prefill\n\n") >= 3);
    expect(countOf(client.received, "data: ")).toBe(0);
    request.text("now");
    await client.when((text) => countOf(text, ": decode\n\n") >= 2);
    request.finish();
    const text = await client.when((received) => received.includes("data: [DONE]"));
    expect(events(text)).toHaveLength(4);
    expect(text.indexOf(": prefill")).toBeGreaterThan(text.lastIndexOf(": queued"));
  });

  it("says that its prompt is being read as soon as it is admitted", async () => {
    const { live, server } = await startServer();
    const client = await RawClient.post(server.port, path, streamed);
    const request = await live.submitted();
    await client.when((text) => text.includes(": queued\n\n"));
    request.admit();
    await client.when((text) => text.includes(": prefill\n\n"));
    expect(countOf(client.received, ": queued")).toBe(1);
  });

  it("is kept alive while its prompt cannot be read yet, and an error then comes inside the stream", async () => {
    const { live, server } = await startServer({ http: { timing: { keepAliveMs: 20 } } });
    let fail: (error: Error) => void = () => {};
    live.beforeEncode = () => new Promise((_resolve, reject) => (fail = reject));
    const client = await RawClient.post(server.port, path, streamed);
    await client.when((text) => text.startsWith("HTTP/1.1 200 OK") && countOf(text, ": queued\n\n") >= 2);
    fail(new PromptRefused("no system message here"));
    await client.when((text) => text.includes("data: "));
    const [error, ...rest] = events(client.received);
    expect(error).toMatchObject({
      error: { code: "prompt_refused", param: "messages", type: "invalid_request_error" },
    });
    expect(rest).toEqual([]);
  });

  it("is understood by the official client, comments and all", async () => {
    const { live, client } = await startServer({ http: { timing: { keepAliveMs: 10 } } });
    const answer = client.chat.completions.create({ ...streamed, stream: true });
    const request = await live.submitted();
    const stream = await answer;
    request.admit();
    request.text("one");
    request.text(" two");
    request.finish();
    const texts: string[] = [];
    for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? "");
    expect(texts.join("")).toBe("one two");
  });
});

describe("a stream that goes wrong", () => {
  it("is refused with a plain 400 when the prompt is too long", async () => {
    const { url } = await startServer();
    const content = "word ".repeat(80);
    const response = await post(`${url}/chat/completions`, { ...streamed, messages: [{ role: "user", content }] });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toEqual({
      message:
        "This model's maximum context length is 64 tokens. However, your messages resulted in 81 tokens. Please reduce the length of the messages.",
      ...{ type: "invalid_request_error", param: "messages", code: "context_length_exceeded" },
      ...{ n_prompt_tokens: 81, n_ctx: 64 },
    });
  });

  it("is refused in the same words when its text is too long even to count", async () => {
    const { live, url } = await startServer();
    live.beforeEncode = async () => {
      throw new PromptTooLong(9_000, 64);
    };
    const response = await post(`${url}/chat/completions`, streamed);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toEqual({
      message:
        "This model's maximum context length is 64 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
      ...{ type: "invalid_request_error", param: "messages", code: "context_length_exceeded" },
      ...{ n_prompt_tokens: 9_000, n_ctx: 64 },
    });
  });

  it("is refused with a plain 429 when the queue is full", async () => {
    const { live, server, url } = await startServer({ waitingMax: 1 });
    await RawClient.post(server.port, path, streamed);
    await live.submitted();
    const response = await post(`${url}/chat/completions`, streamed);
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await errorOf(response)).toMatchObject({ type: "rate_limit_exceeded", code: "queue_full", param: null });
  });

  it("is refused with a plain 503 when the engine cannot be brought back", async () => {
    const { live, url } = await startServer();
    live.beforeEncode = async () => {
      live.health = "failed";
      throw new EngineUnavailable("given up");
    };
    const response = await post(`${url}/chat/completions`, streamed);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("30");
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await errorOf(response)).toMatchObject({ code: "engine_unavailable", type: "service_unavailable" });
  });

  it("carries an error object and no [DONE] after the first byte, which the official client raises", async () => {
    const { live, client } = await startServer();
    const answer = client.chat.completions.create({ ...streamed, stream: true });
    const request = await live.submitted();
    const stream = await answer;
    request.admit();
    request.text("half");
    request.fail("No room.");
    const texts: string[] = [];
    const read = async () => {
      for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? "");
    };
    await expect(read()).rejects.toMatchObject({
      code: "engine_failure",
      message: expect.stringContaining("No room."),
    });
    expect(texts.join("")).toBe("half");
  });

  it("says so when somebody cancels it in the window", async () => {
    const { live, server } = await startServer();
    const client = await RawClient.post(server.port, path, streamed, ["Connection: close"]);
    const request = await live.submitted();
    live.cancel(request.spec.requestId, "Cancelled in the window.");
    const text = await client.whenClosed();
    expect(events(text)).toEqual([
      {
        error: expect.objectContaining({
          code: "request_cancelled",
          message: "The request was cancelled: Cancelled in the window.",
        }),
      },
    ]);
  });

  it("does not hang when reading its prompt fails in an unknown way, and the fault is logged", async () => {
    const { live, url, loggedErrors } = await startServer();
    live.beforeEncode = async () => {
      throw new TypeError("a secret of the inside");
    };
    const response = await post(`${url}/chat/completions`, streamed);
    expect(response.status).toBe(500);
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "internal_error", type: "server_error" });
    expect(error.message).not.toContain("secret");
    expect(loggedErrors).toHaveLength(1);
  });
});
