/** The server as a whole: where it listens, how it keeps connections, how it closes. */
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { PortInUse } from "../../electron/http/listen-error";
import { createHttpServer } from "../../electron/http/server";
import { FakeLive } from "./fake-live";
import { RawClient } from "./raw-client";
import { hello, startServer } from "./start-server";

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

describe("the server", () => {
  it("gives a base URL that ends in /v1 and is reached by localhost too", async () => {
    const { url, server } = await startServer();
    expect(url).toBe(`http://127.0.0.1:${server.port}/v1`);
    expect((await fetch(`http://localhost:${server.port}/health`)).status).toBe(200);
  });

  it("says which port is in use and what to do", async () => {
    const { server } = await startServer();
    const second = createHttpServer({ live: new FakeLive(), host: "127.0.0.1", port: server.port, log });
    await expect(second).rejects.toThrow(PortInUse);
    await expect(second).rejects.toThrow(
      `Port ${server.port} on 127.0.0.1 is in use. Close the program that uses it, or choose another one with --port.`,
    );
  });

  it("says when the address is not this machine's", async () => {
    const started = createHttpServer({ live: new FakeLive(), host: "203.0.113.7", port: 0, apiKey: "k", log });
    await expect(started).rejects.toThrow("203.0.113.7 is not an address of this machine.");
  });

  it("lets other machines in only with a key", async () => {
    const started = createHttpServer({ live: new FakeLive(), host: "0.0.0.0", port: 0, log });
    await expect(started).rejects.toThrow("an API key is needed. Set one with --api-key KEY.");
    const { url } = await startServer({ http: { host: "0.0.0.0", apiKey: "k" } });
    expect((await fetch(`${url}/models`, { headers: { authorization: "Bearer k" } })).status).toBe(200);
  });

  it("keeps a connection for the next request of its client", async () => {
    const { server } = await startServer({ answers: ["a"] });
    const client = await RawClient.post(server.port, "/v1/chat/completions", { ...hello, stream: true });
    await client.when((text) => text.includes("[DONE]\n\n\r\n0\r\n\r\n"));
    expect(client.received.toLowerCase()).toContain("keep-alive: timeout=75");
    client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await client.when((text) => text.includes('"status":"ok"'));
  });

  it("ends open answers with an error when it closes, and frees the port", async () => {
    const { live, server } = await startServer();
    const stream = await RawClient.post(server.port, "/v1/chat/completions", { ...hello, stream: true });
    const whole = await RawClient.post(server.port, "/v1/chat/completions", hello);
    await live.submitted(2);
    live.beforeEncode = () => new Promise(() => {});
    const reading = await RawClient.post(server.port, "/v1/chat/completions", hello);
    await live.when(() => live.encoded.length === 3);
    await stream.when((text) => text.includes(": queued"));
    const idle = await RawClient.open(server.port);
    await server.close();
    expect(await stream.whenClosed()).toContain('data: {"error":{"message":"The server is closing.');
    for (const client of [whole, reading]) expect(await client.whenClosed()).toMatch(/^HTTP\/1\.1 503 /);
    await idle.whenClosed();
    const again = createServer();
    await new Promise<void>((resolve, reject) => again.once("error", reject).listen(server.port, "127.0.0.1", resolve));
    await new Promise((resolve) => again.close(resolve));
  });

  it("cancels in the scheduler what it ends by closing", async () => {
    const { live, server } = await startServer();
    await RawClient.post(server.port, "/v1/chat/completions", { ...hello, stream: true });
    const request = await live.submitted();
    await server.close();
    expect(live.cancelled).toEqual([
      { requestId: request.spec.requestId, reason: "The server is closing. Try again later." },
    ]);
  });
});
