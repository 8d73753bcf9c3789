/** Requests that are sent again because their connection was lost: computed once, through the official clients and by hand. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { RawClient } from "./raw-client";
import { errorOf, hello, post, type StartedServer, startServer } from "./start-server";

const path = "/v1/chat/completions";

/** Tells when the client's try number `count` has begun. */
function countingFetch() {
  let tries = 0;
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  return {
    fetch: (...args: Parameters<typeof fetch>) => {
      const response = fetch(...args);
      tries += 1;
      for (const { count, resolve } of waiting) if (tries >= count) resolve();
      return response;
    },
    begun: (count: number) =>
      new Promise<void>((resolve) => {
        if (tries >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

function impatient({ url }: StartedServer) {
  const counting = countingFetch();
  const client = new OpenAI({ baseURL: url, apiKey: "none", timeout: 300, maxRetries: 2, fetch: counting.fetch });
  return { client, begun: counting.begun };
}

const apis = [
  [
    "chat completions",
    async (client: OpenAI) => (await client.chat.completions.create(hello)).choices[0]?.message.content,
  ],
  [
    "responses",
    async (client: OpenAI) => (await client.responses.create({ model: "default", input: "hi" })).output_text,
  ],
  [
    "messages",
    async (openai: OpenAI, fetch: typeof globalThis.fetch) => {
      const baseURL = openai.baseURL.replace(/\/v1$/, "");
      const client = new Anthropic({ baseURL, apiKey: "none", timeout: 300, maxRetries: 2, fetch });
      const { content } = await client.messages.create({ ...hello, max_tokens: 9 });
      return content[0]?.type === "text" ? content[0].text : null;
    },
  ],
] as const;

describe("an official client that runs out of patience and tries again", () => {
  it.each(apis)("gets the answer of its first try: %s", async (_api, ask) => {
    const started = await startServer();
    const { live, origin } = started;
    const { fetch, begun } = countingFetch();
    const client = new OpenAI({ baseURL: started.url, apiKey: "none", timeout: 300, maxRetries: 2, fetch });
    const answer = ask(client, fetch);
    const request = await live.submitted();
    request.admit();
    request.text("It ");
    await begun(2);
    request.text("snows.");
    request.finish();
    expect(await answer).toBe("It snows.");
    expect(live.requests).toHaveLength(1);
    expect(live.cancelled).toEqual([]);
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain("topas:requests_joined_total 1\n");
  });

  it("finds the answer that was finished while nobody listened", async () => {
    const started = await startServer();
    const { client } = impatient(started);
    const answer = client.chat.completions.create(hello).withResponse();
    const request = await started.live.submitted();
    await new Promise((resolve) => setTimeout(resolve, 400));
    request.admit();
    request.text("Done.");
    request.finish();
    const { data, request_id } = await answer;
    expect(data.choices[0]?.message.content).toBe("Done.");
    expect(request_id).toBe(request.spec.requestId);
    expect(started.live.requests).toHaveLength(1);
  });

  it("takes over one of several equal requests, each try another one", async () => {
    const started = await startServer();
    const clients = [impatient(started), impatient(started), impatient(started)];
    const answers = clients.map(({ client }) => client.chat.completions.create(hello));
    await started.live.submitted(3);
    await Promise.all(clients.map(({ begun }) => begun(2)));
    for (const [index, request] of started.live.requests.entries()) {
      request.admit();
      request.text(`Answer ${index}.`);
      request.finish();
    }
    const texts = (await Promise.all(answers)).map(({ choices }) => choices[0]?.message.content);
    expect(texts.toSorted()).toEqual(["Answer 0.", "Answer 1.", "Answer 2."]);
    expect(started.live.requests).toHaveLength(3);
  });

  it("is computed anew when its first try failed meanwhile", async () => {
    const started = await startServer();
    const { client, begun } = impatient(started);
    const answer = client.chat.completions.create(hello);
    const first = await started.live.submitted();
    await new Promise((resolve) => setTimeout(resolve, 400));
    first.fail("It broke.");
    await begun(2);
    const second = await started.live.submitted(2);
    second.admit();
    second.text("Mended.");
    second.finish();
    expect((await answer).choices[0]?.message.content).toBe("Mended.");
  });

  it("is cancelled when it does not come back", async () => {
    const { live, url } = await startServer({ http: { timing: { comesBackWithinMs: 30 } } });
    const client = new OpenAI({ baseURL: url, apiKey: "none", timeout: 100, maxRetries: 0 });
    await expect(client.chat.completions.create(hello)).rejects.toThrow("Request timed out.");
    const request = await live.submitted();
    await live.when(() => request.ended);
    const reason = "The client closed the connection and did not come back.";
    expect(live.cancelled).toEqual([{ requestId: request.spec.requestId, reason }]);
  });

  it("is cancelled at once when it hangs up on a stream", async () => {
    const { live, client } = await startServer();
    const stream = await client.chat.completions.create({ ...hello, stream: true });
    const request = await live.submitted();
    stream.controller.abort();
    await live.when(() => request.ended);
    expect(live.cancelled.map(({ reason }) => reason)).toEqual(["The client closed the connection."]);
  });
});

describe("a try that is not certainly the same", () => {
  const again = ["X-Stainless-Retry-Count: 1"];

  async function orphaned(headers: readonly string[] = []) {
    const started = await startServer();
    const first = await RawClient.post(started.server.port, path, hello, ["X-Stainless-Retry-Count: 0", ...headers]);
    await started.live.submitted();
    first.hangUp();
    // Nothing tells when the server has noticed; what is sent on another connection afterwards is read afterwards.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return started;
  }

  it("joins if everything is the same, of whatever number the try is", async () => {
    const { live, server } = await orphaned();
    const client = await RawClient.post(server.port, path, hello, ["X-Stainless-Retry-Count: 4"]);
    live.requests[0]?.finish();
    await client.when((text) => text.includes("chat.completion"));
    expect(live.requests).toHaveLength(1);
  });

  it.each<[string, object, readonly string[]]>([
    ["another body", { ...hello, max_tokens: 3 }, again],
    ["a first try", hello, ["X-Stainless-Retry-Count: 0"]],
    ["no count", hello, []],
    ["another agent", hello, [...again, "X-Agent: writer"]],
    ["another session", hello, [...again, "X-Session-ID: 7"]],
    ["another key", hello, [...again, "Authorization: Bearer other"]],
  ])("is a request of its own: %s", async (_what, body, headers) => {
    const { live, server } = await orphaned();
    await RawClient.post(server.port, path, body, headers);
    await live.submitted(2);
  });

  it("never takes the generation of a client that is still there", async () => {
    const { live, server } = await startServer();
    await RawClient.post(server.port, path, hello, ["X-Stainless-Retry-Count: 0"]);
    await live.submitted();
    await RawClient.post(server.port, path, hello, again);
    await live.submitted(2);
  });
});

describe("an Idempotency-Key", () => {
  const headers = { "idempotency-key": "one" };

  it("gives the second try the whole answer beside the first, and a third one shortly after its end", async () => {
    const { live, url } = await startServer();
    const ask = () => post(`${url}/chat/completions`, { ...hello, stream: true }, headers);
    const first = await ask();
    const request = await live.submitted();
    request.admit();
    request.text("It ");
    const second = await ask();
    request.text("snows.");
    request.finish();
    const third = await ask();
    const texts = await Promise.all([first, second, third].map((response) => response.text()));
    for (const text of texts) {
      expect(text).toContain('"content":"It "');
      expect(text).toMatch(/"content":"snows\."[\s\S]*data: \[DONE\]\n\n$/);
    }
    expect(live.requests).toHaveLength(1);
  });

  it("keeps a stream going whose client was lost, but not for ever", async () => {
    const { live, server } = await startServer({ http: { timing: { comesBackWithinMs: 200 } } });
    const body = { ...hello, stream: true };
    const first = await RawClient.post(server.port, path, body, ["Idempotency-Key: one"]);
    const request = await live.submitted();
    request.admit();
    request.text("It ");
    await first.when((text) => text.includes("It "));
    first.hangUp();
    const second = await RawClient.post(server.port, path, body, ["Idempotency-Key: one"]);
    await second.when((text) => text.includes("It "));
    expect(live.cancelled).toEqual([]);
    second.hangUp();
    await live.when(() => request.ended);
    expect(live.cancelled.map(({ reason }) => reason)).toEqual([
      "The client closed the connection and did not come back.",
    ]);
  });

  it("goes on for one client when the other hangs up", async () => {
    const { live, server } = await startServer({ http: { timing: { comesBackWithinMs: 20 } } });
    const keyed = ["Idempotency-Key: one"];
    const first = await RawClient.post(server.port, path, hello, keyed);
    const request = await live.submitted();
    const second = await RawClient.post(server.port, path, hello, keyed);
    await new Promise((resolve) => setTimeout(resolve, 30));
    first.hangUp();
    await new Promise((resolve) => setTimeout(resolve, 60));
    request.text("Here.");
    request.finish();
    expect(await second.when((text) => text.includes("Here."))).toMatch(/^HTTP\/1\.1 200 /);
    expect(live.cancelled).toEqual([]);
  });

  it("refuses another body in the caller's shape, and counts for one sender only", async () => {
    const { live, url, origin } = await startServer();
    void post(`${url}/chat/completions`, hello, headers).catch(() => {});
    await live.submitted();
    const refused = await post(`${url}/chat/completions`, { ...hello, max_tokens: 7 }, headers);
    expect(refused.status).toBe(409);
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect((await errorOf(refused)).code).toBe("duplicate_request");
    const anthropic = await post(`${origin}/v1/messages`, { ...hello, max_tokens: 7 }, headers);
    expect(anthropic.status).toBe(409);
    expect(await anthropic.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    void post(`${url}/chat/completions`, hello, { ...headers, authorization: "Bearer another" }).catch(() => {});
    await live.submitted(2);
  });

  it("is free again after a failure", async () => {
    const { live, url } = await startServer();
    const first = post(`${url}/chat/completions`, hello, headers);
    (await live.submitted()).fail("It broke.");
    expect((await first).status).toBe(500);
    const second = post(`${url}/chat/completions`, hello, headers);
    const request = await live.submitted(2);
    request.finish();
    expect((await second).status).toBe(200);
  });

  it("does not keep the server from closing", async () => {
    const { live, server } = await startServer();
    const first = await RawClient.post(server.port, path, hello, ["Idempotency-Key: one"]);
    const request = await live.submitted();
    first.hangUp();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    expect(request.ended).toBe(true);
    expect(live.cancelled.map(({ reason }) => reason)).toEqual(["The server is closing. Try again later."]);
  });
});
