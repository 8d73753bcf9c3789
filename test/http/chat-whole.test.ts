/** Answers sent as one JSON object. */
import { describe, expect, it } from "vitest";
import { countOf, RawClient } from "./raw-client";
import { errorOf, hello, post, startServer } from "./start-server";

const path = "/v1/chat/completions";

describe("an answer that is not streamed", () => {
  it("has OpenAI's shape, truthful usage and the times of the queue", async () => {
    const { url } = await startServer({ answers: ["Paris", " it is"] });
    const response = await post(`${url}/chat/completions`, hello, { "x-request-id": "r1" });
    expect(response.headers.get("x-request-id")).toBe("r1");
    expect(await response.json()).toEqual({
      ...{ id: "chatcmpl-r1", object: "chat.completion", created: expect.any(Number), model: "default" },
      system_fingerprint: "fp_test-Org-Tiny-Model-Q4_1-Q4_1",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Paris it is", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        ...{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      timings: {
        ...{ cache_n: 3, prompt_n: 0, prompt_ms: 50, prompt_per_second: 0 },
        ...{ predicted_n: 2, predicted_ms: expect.any(Number), predicted_per_second: expect.any(Number) },
      },
      topas: { request_id: "r1", queue_ms: 40, ttft_ms: 90 },
    });
  });

  it("echoes the model's name as it was asked for, metadata and service_tier", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const asked = { ...hello, model: "org/tiny-model:q4_1.GGUF", metadata: { team: "blue" }, service_tier: "flex" };
    const answer = (await (await post(`${url}/chat/completions`, asked)).json()) as object;
    expect(answer).toMatchObject({ model: asked.model, metadata: { team: "blue" }, service_tier: "flex" });
  });

  it("keeps thoughts apart as reasoning_content", async () => {
    const { url } = await startServer({ answers: ["<think>hm", "m</think>", "\n\nYes"] });
    const answer = (await (await post(`${url}/chat/completions`, hello)).json()) as { choices: { message: object }[] };
    expect(answer.choices[0]?.message).toMatchObject({ content: "Yes", reasoning_content: "hmm" });
  });

  it("holds its headers back for a while, then sends them early with spaces that JSON allows", async () => {
    const { live, server } = await startServer({ http: { timing: { earlyHeadersMs: 30, keepAliveMs: 10 } } });
    const client = await RawClient.post(server.port, path, hello, ["Connection: close"]);
    const request = await live.submitted();
    expect(client.received).toBe("");
    await client.when((text) => countOf(text, "\r\n1\r\n \r\n") >= 3 || countOf(text, "1\r\n \r\n") >= 3);
    expect(client.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(client.received.toLowerCase()).toContain("content-type: application/json");
    request.admit();
    request.text("late");
    request.finish();
    expect(await client.whenClosed()).toContain('"content":"late"');
  });

  it("is understood by the official client with spaces before it", async () => {
    const { live, client } = await startServer({ http: { timing: { earlyHeadersMs: 5, keepAliveMs: 5 } } });
    const answer = client.chat.completions.create(hello).asResponse();
    const request = await live.submitted();
    const response = await answer;
    request.admit();
    request.text("padded");
    request.finish();
    const body = (await response.json()) as { choices: { message: { content: string } }[] };
    expect(body.choices[0]?.message.content).toBe("padded");
  });

  it("carries the error object when it fails after its headers are out", async () => {
    const { live, server } = await startServer({ http: { timing: { earlyHeadersMs: 5, keepAliveMs: 5 } } });
    const client = await RawClient.post(server.port, path, hello, ["Connection: close"]);
    const request = await live.submitted();
    await client.when((text) => text.includes("200 OK"));
    request.fail("No room.");
    expect(await client.whenClosed()).toContain(
      '{"error":{"message":"The engine could not finish this request: No room."',
    );
  });

  it("is a plain 500 when the engine fails before, and clients are told not to repeat it", async () => {
    const { live, url } = await startServer();
    const answer = post(`${url}/chat/completions`, hello);
    (await live.submitted()).fail("No room.");
    const response = await answer;
    expect(response.status).toBe(500);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(await errorOf(response)).toMatchObject({ type: "server_error", code: "engine_failure", param: null });
  });

  it("is a 503 when the engine was given up under it", async () => {
    const { live, url } = await startServer();
    const answer = post(`${url}/chat/completions`, hello);
    const request = await live.submitted();
    live.health = "failed";
    request.fail("The engine ended.");
    expect((await answer).status).toBe(503);
  });
});
