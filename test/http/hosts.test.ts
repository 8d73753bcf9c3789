/** Which hosts and origins are let in, and what browsers are told. */
import { describe, expect, it } from "vitest";
import { HostCheck } from "../../electron/http/host-check";
import { RawClient } from "./raw-client";
import { errorOf, hello, post, startServer } from "./start-server";

describe("the Host check", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1:8080", true],
    ["127.0.0.1", "127.0.0.1", true],
    ["127.0.0.1", "localhost:1", true],
    ["127.0.0.1", "LOCALHOST.:1", true],
    ["127.0.0.1", "[::1]:8080", true],
    ["127.0.0.1", "[::1]", true],
    ["127.0.0.1", "evil.example:8080", false],
    ["127.0.0.1", "127.0.0.1.evil.example", false],
    ["127.0.0.1", "localhost.evil.example", false],
    ["127.0.0.1", "192.168.1.5", false],
    ["127.0.0.1", "", false],
    ["studio.lan", "Studio.lan:8080", true],
    ["studio.lan", "other.lan:8080", false],
    ["fd00::5", "[fd00::5]:8080", true],
    ["0.0.0.0", "192.168.1.5:8080", true],
    ["0.0.0.0", "[fd00::5]:8080", true],
    ["0.0.0.0", "evil.example", false],
  ])("listening on %s takes %s: %s", (listening, host, allowed) => {
    expect(new HostCheck(listening).allows(host)).toBe(allowed);
  });

  it("refuses a foreign host with 403 before the key and the body", async () => {
    const { server } = await startServer({ http: { apiKey: "sk" } });
    const client = await RawClient.open(server.port);
    client.send(
      "POST /v1/chat/completions HTTP/1.1\r\nHost: evil.example\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\n{nope",
    );
    const text = await client.whenClosed();
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
    expect(text).toContain('"code":"foreign_host"');
    expect(text.toLowerCase()).toContain("x-request-id: req_");
  });
});

describe("a web page", () => {
  const preflight = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,x-stainless-lang",
  };

  it.each(["http://localhost:3000", "http://127.0.0.1:5173", "https://localhost", "http://[::1]:80"])(
    "from %s may ask, without a key in the preflight",
    async (page) => {
      const { url } = await startServer({ http: { apiKey: "sk" } });
      const response = await fetch(`${url}/chat/completions`, {
        method: "OPTIONS",
        headers: { origin: page, ...preflight },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get("access-control-allow-origin")).toBe(page);
      expect(response.headers.get("access-control-allow-headers")).toBe("authorization,x-stainless-lang");
      expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, PUT, DELETE");
      expect(response.headers.get("access-control-max-age")).toBe("600");
    },
  );

  it("from this machine can read answers, streams and errors", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const page = { origin: "http://localhost:3000" };
    const answers = await Promise.all([
      post(`${url}/chat/completions`, hello, page),
      post(`${url}/chat/completions`, { ...hello, stream: true }, page),
      post(`${url}/chat/completions`, "{", page),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
      expect(headers.get("access-control-expose-headers")).toBe("x-request-id, retry-after");
    }
  });

  it.each(["https://evil.example", "http://localhost.evil.example", "null"])(
    "from %s is refused, preflight and request",
    async (page) => {
      const { url, live } = await startServer({ answers: ["a"] });
      const asked = await fetch(`${url}/chat/completions`, {
        method: "OPTIONS",
        headers: { origin: page, ...preflight },
      });
      expect(asked.status).toBe(403);
      expect(asked.headers.get("access-control-allow-origin")).toBe(null);
      const sent = await post(`${url}/chat/completions`, hello, { origin: page });
      expect(sent.status).toBe(403);
      expect(await errorOf(sent)).toMatchObject({ code: "foreign_origin", type: "permission_error", param: null });
      expect(live.requests).toEqual([]);
    },
  );

  it("is not what programs with origins of their own are", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const response = await post(`${url}/chat/completions`, hello, { origin: "vscode-webview://abc" });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe(null);
  });
});
