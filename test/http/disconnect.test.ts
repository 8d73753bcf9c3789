/** Clients that hang up: their requests end, the others go on. */
import { describe, expect, it } from "vitest";
import { RawClient } from "./raw-client";
import { hello, post, startServer } from "./start-server";

const path = "/v1/chat/completions";
const reason = "The client closed the connection.";

describe("a client that hangs up", () => {
  it.each([
    ["a stream", { ...hello, stream: true }],
    ["a whole answer", hello],
  ])("cancels %s that is queued", async (_what, body) => {
    const { live, server } = await startServer();
    const client = await RawClient.post(server.port, path, body);
    const request = await live.submitted();
    client.hangUp();
    await live.when(() => request.ended);
    expect(live.cancelled).toEqual([{ requestId: request.spec.requestId, reason }]);
  });

  it.each([
    ["a stream", { ...hello, stream: true }],
    ["a whole answer", hello],
  ])("cancels %s that runs", async (_what, body) => {
    const { live, server } = await startServer();
    const client = await RawClient.post(server.port, path, body);
    const request = await live.submitted();
    request.admit();
    request.text("half");
    if ("stream" in body) await client.when((text) => text.includes("half"));
    client.hangUp();
    await live.when(() => request.ended);
    expect(live.cancelled).toEqual([{ requestId: request.spec.requestId, reason }]);
  });

  it("never submits a request whose prompt was still being read", async () => {
    const { live, server, url } = await startServer({ answers: ["a"] });
    let goOn: () => void = () => {};
    const reading = new Promise<void>((resolve) => {
      live.beforeEncode = () => {
        resolve();
        return new Promise((done) => (goOn = done));
      };
    });
    const client = await RawClient.post(server.port, path, hello);
    await reading;
    client.hangUp();
    await live.when(() => live.cancelled.length > 0);
    goOn();
    live.beforeEncode = async () => {};
    expect((await post(`${url}/chat/completions`, hello)).status).toBe(200);
    expect(live.requests).toHaveLength(1);
  });

  it("cancels nothing when its answer was complete", async () => {
    const { live, server } = await startServer({ answers: ["a"] });
    for (const stream of [true, false]) {
      const client = await RawClient.post(server.port, path, { ...hello, stream }, ["Connection: close"]);
      await client.whenClosed();
    }
    expect(live.requests.map((request) => request.ended)).toEqual([true, true]);
    expect(live.cancelled).toEqual([]);
  });

  it("does not disturb the others: a hundred hang up in every phase, one answer goes on", async () => {
    const { live, server, url, client, loggedErrors } = await startServer({ waitingMax: 200 });
    const answer = client.chat.completions.create({ ...hello, stream: true });
    const kept = await live.submitted();
    const stream = await answer;
    const leaving: RawClient[] = [];
    for (let index = 0; index < 100; index += 1) {
      leaving.push(await RawClient.post(server.port, path, { ...hello, stream: index % 2 === 0 }));
    }
    await live.submitted(101);
    for (const [index, request] of live.requests.slice(1).entries()) {
      if (index % 3 > 0) request.admit();
      if (index % 3 > 1) request.text("half");
    }
    kept.admit();
    for (const [index, other] of leaving.entries()) {
      other.hangUp();
      if (index % 20 === 0) kept.text(`${index} `);
    }
    await live.when(() => live.cancelled.length === 100);
    kept.finish();
    let text = "";
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    expect(text).toBe("0 20 40 60 80 ");
    expect(live.requests.every((request) => request.ended)).toBe(true);
    expect(new Set(live.cancelled.map(({ requestId }) => requestId)).size).toBe(100);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(loggedErrors).toEqual([]);
  });

  it("in the middle of its body starts nothing", async () => {
    const { live, server, url } = await startServer({ answers: ["a"] });
    const client = await RawClient.open(server.port);
    client.send(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"model":`,
    );
    client.hangUp();
    await client.whenClosed();
    expect((await post(`${url}/chat/completions`, hello)).status).toBe(200);
    expect(live.requests).toHaveLength(1);
  });
});
