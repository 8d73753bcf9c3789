/** Every way the endpoint says no: status, OpenAI's shape with all four members, and what to do. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { countOf, RawClient } from "./raw-client";
import { errorOf, hello, post, startServer } from "./start-server";

const path = "/v1/chat/completions";

function expectShape(error: unknown): void {
  expect(error).toMatchObject({
    message: expect.stringMatching(/\w.*\.$/s),
    type: expect.any(String),
    code: expect.any(String),
  });
  expect(error).toHaveProperty("param");
}

describe("a body", () => {
  it.each([
    ["that is not JSON", "{nope", "invalid_json"],
    ["that is empty", "", "invalid_json"],
    ["that is cut off", '{"model":"default","messages":[', "invalid_json"],
  ])("%s is a 400", async (_what, body, code) => {
    const { url } = await startServer();
    const response = await post(`${url}/chat/completions`, body);
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expectShape(error);
    expect(error).toMatchObject({ type: "invalid_request_error", code, param: null });
  });

  it("may be packed with gzip", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const body = gzipSync(JSON.stringify(hello));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect((await fetch(`${url}/chat/completions`, { method: "POST", body, headers })).status).toBe(200);
  });

  it("that says gzip and is not is a 400", async () => {
    const { url } = await startServer();
    const response = await post(`${url}/chat/completions`, hello, { "content-encoding": "gzip" });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: "invalid_json", message: expect.stringContaining("gzip") });
  });

  it("packed in another way is a 415 that names gzip", async () => {
    const { url } = await startServer();
    const response = await post(`${url}/chat/completions`, hello, { "content-encoding": "br" });
    expect(response.status).toBe(415);
    expect(await errorOf(response)).toMatchObject({
      code: "unsupported_media_type",
      message: expect.stringContaining("gzip"),
    });
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "of type %s is a 415",
    async (type) => {
      const { url } = await startServer();
      const response = await post(`${url}/chat/completions`, hello, { "content-type": type });
      expect(response.status).toBe(415);
      const error = await errorOf(response);
      expectShape(error);
      expect(error.message).toContain("Content-Type: application/json");
    },
  );

  it("may name a charset with its type", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const response = await post(`${url}/chat/completions`, hello, {
      "content-type": "application/json; charset=utf-8",
    });
    expect(response.status).toBe(200);
  });

  it("of more than 64 MiB is a 413, before it is read", async () => {
    const { server } = await startServer();
    const client = await RawClient.open(server.port);
    const length = 64 * 1024 * 1024 + 1;
    client.send(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const text = await client.when((received) => received.includes("}}"));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('"code":"request_too_large"');
  });

  it("that unpacks to more than 64 MiB is a 413", async () => {
    const { url } = await startServer();
    const body = gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1, " "), { level: 1 });
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect((await fetch(`${url}/chat/completions`, { method: "POST", body, headers })).status).toBe(413);
  });

  it("that never arrives in full is a 408, and the connection is closed", async () => {
    const { server } = await startServer({ http: { timing: { arrivalMs: 100 } } });
    const client = await RawClient.open(server.port);
    client.send(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{`,
    );
    const text = await client.whenClosed();
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    expect(text).toContain('"code":"request_timeout"');
  });

  it("may be answered for longer than it may take to arrive", async () => {
    const { server, live } = await startServer({ http: { timing: { arrivalMs: 50, keepAliveMs: 60 } } });
    const client = await RawClient.post(server.port, path, { ...hello, stream: true });
    await client.when((received) => countOf(received, ": queued") >= 5);
    expect(live.cancelled).toEqual([]);
  });

  it("with a byte order mark is read", async () => {
    const { url } = await startServer({ answers: ["a"] });
    expect((await post(`${url}/chat/completions`, `\uFEFF${JSON.stringify(hello)}`)).status).toBe(200);
  });

  it("of some megabytes is taken", async () => {
    const { url, live } = await startServer({ answers: ["a"] });
    const content = "x".repeat(8 * 1024 * 1024);
    expect((await post(`${url}/chat/completions`, { ...hello, messages: [{ role: "user", content }] })).status).toBe(
      200,
    );
    expect(live.encoded).toEqual([{ kind: "chat", messages: [{ role: "user", content }] }]);
  });
});

describe("an API key", () => {
  const http = { apiKey: "sk-right" };

  it.each<[string, Record<string, string>]>([
    ["missing", {}],
    ["wrong", { authorization: "Bearer sk-wrong" }],
    ["wrong in X-Api-Key", { "x-api-key": "sk-wrong" }],
    ["of another scheme", { authorization: "Basic sk-right" }],
  ])("that is %s is a 401", async (_what, headers) => {
    const { url } = await startServer({ answers: ["a"], http });
    const response = await post(`${url}/chat/completions`, hello, headers);
    expect(response.status).toBe(401);
    const error = await errorOf(response);
    expectShape(error);
    expect(error).toMatchObject({ code: "invalid_api_key", type: "invalid_request_error" });
  });

  it.each<[string, Record<string, string>]>([
    ["Authorization", { authorization: "Bearer sk-right" }],
    ["X-Api-Key", { "x-api-key": "sk-right" }],
  ])("is taken from %s", async (_where, headers) => {
    const { url } = await startServer({ answers: ["a"], http });
    expect((await post(`${url}/chat/completions`, hello, headers)).status).toBe(200);
  });

  it("is asked for at every URL but / and /health", async () => {
    const { origin } = await startServer({ http });
    const status = async (at: string) => (await fetch(origin + at)).status;
    expect(await Promise.all(["/", "/health", "/v1/health", "/health?full=1"].map(status))).toEqual([
      200, 200, 200, 200,
    ]);
    const kept = [
      "/v1/models",
      "/v1/queue",
      "/v1/policy",
      "/v1/workflows",
      "/v1/requests/x/explain",
      "/v1/nowhere",
      "/v1/health/x",
    ];
    expect(await Promise.all(kept.map(status))).toEqual(kept.map(() => 401));
  });

  it("is not needed when none is set, and a client's is ignored", async () => {
    const { url } = await startServer({ answers: ["a"] });
    expect((await post(`${url}/chat/completions`, hello, { authorization: "Bearer whatever" })).status).toBe(200);
  });
});

describe("a URL", () => {
  it("that is unknown is a 404 in OpenAI's shape", async () => {
    const { url } = await startServer();
    const response = await fetch(`${url}/nowhere`);
    expect(response.status).toBe(404);
    const error = await errorOf(response);
    expectShape(error);
    expect(error).toMatchObject({
      code: "unknown_url",
      message: "Unknown URL: GET /v1/nowhere. The base URL of this API ends in /v1.",
    });
  });

  it.each(["/v1/audio/speech", "/v1/files"])("%s says that it is not supported yet", async (at) => {
    const { origin } = await startServer();
    const response = await post(origin + at, hello);
    expect(response.status).toBe(404);
    expect((await errorOf(response)).message).toContain("not supported yet");
  });

  it.each([
    ["GET", path, "POST"],
    ["DELETE", path, "POST"],
    ["POST", "/v1/models", "GET, HEAD"],
    ["DELETE", "/v1/models/x", "GET, HEAD"],
    ["POST", "/v1/policy", "GET, HEAD, PUT"],
    ["PATCH", "/v1/workflows/x", "GET, HEAD, PUT, DELETE"],
    ["PUT", "/health", "GET, HEAD"],
    ["POST", "/", "GET, HEAD"],
  ])("does not take %s %s, and says what it takes", async (method, at, allow) => {
    const { origin } = await startServer();
    const response = await fetch(origin + at, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expectShape(await errorOf(response));
  });

  it("that cannot be decoded is a 400", async () => {
    const { origin } = await startServer();
    const response = await fetch(`${origin}/v1/models/%E0%A4%A`);
    expect(response.status).toBe(400);
    expectShape(await errorOf(response));
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  });
});

describe("a model", () => {
  it.each(["other", "tiny-model", "Org/Tiny-Model"])("named %s is a 404", async (model) => {
    const { url } = await startServer({ answers: ["a"] });
    const response = await post(`${url}/chat/completions`, { ...hello, model });
    expect(response.status).toBe(404);
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "model_not_found", type: "invalid_request_error", param: "model" });
    expect(error.message).toBe(
      `The model '${model}' does not exist here. Loaded is 'Org/Tiny-Model:Q4_1'; use that name or 'default'.`,
    );
  });

  it.each(["Org/Tiny-Model:Q4_1", "org/tiny-model:q4_1", "Org/Tiny-Model:Q4_1.gguf", "default"])(
    "named %s is the loaded one",
    async (model) => {
      const { url } = await startServer({ answers: ["a"] });
      expect((await post(`${url}/chat/completions`, { ...hello, model })).status).toBe(200);
    },
  );

  it.each([
    ["no_model", "no_model", "30", "false", /Load one/],
    ["loading", "model_loading", "5", null, /still loading/],
    ["failed", "engine_unavailable", "30", "false", /Restart/],
  ] as const)(
    "that is not there (%s) is a 503 with Retry-After",
    async (health, code, retryAfter, shouldRetry, words) => {
      const { live, url } = await startServer();
      live.engine = null;
      live.health = health;
      const response = await post(`${url}/chat/completions`, hello);
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe(retryAfter);
      expect(response.headers.get("x-should-retry")).toBe(shouldRetry);
      const error = await errorOf(response);
      expect(error).toMatchObject({ code, type: "service_unavailable" });
      expect(error.message).toMatch(words);
    },
  );

  it("whose engine restarts keeps requests waiting instead", async () => {
    const { live, url } = await startServer({ answers: ["a"] });
    live.health = "restarting";
    expect((await post(`${url}/chat/completions`, hello)).status).toBe(200);
  });
});

describe("what is not HTTP", () => {
  it("is a 400 in OpenAI's shape", async () => {
    const { server } = await startServer();
    const client = await RawClient.open(server.port);
    client.send("hello\r\n\r\n");
    const text = await client.whenClosed();
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expectShape((JSON.parse(text.slice(text.indexOf("{"))) as { error: object }).error);
  });

  it("with headers beyond 64 KB is a 431", async () => {
    const { server } = await startServer();
    const client = await RawClient.open(server.port);
    client.send(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: ${"x".repeat(70_000)}\r\n\r\n`);
    expect(await client.whenClosed()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("does not begin with headers of 40 KB, which are fine", async () => {
    const { server } = await startServer();
    const client = await RawClient.open(server.port);
    client.send(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: ${"x".repeat(40_000)}\r\nConnection: close\r\n\r\n`);
    expect(await client.whenClosed()).toMatch(/^HTTP\/1\.1 200 /);
  });
});
