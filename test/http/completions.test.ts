/** OpenAI's completions: text or tokens that the model goes on writing. */
import { describe, expect, it } from "vitest";
import { errorOf, post, startServer } from "./start-server";

const ask = { model: "default", prompt: "Once upon" };

describe("a completion", () => {
  it("has OpenAI's shape and default length", async () => {
    const { url, live } = await startServer({ answers: [" a", " time"] });
    const response = await post(`${url}/completions`, ask, { "x-request-id": "r1" });
    expect(await response.json()).toEqual({
      ...{ id: "cmpl-r1", object: "text_completion", created: expect.any(Number), model: "default" },
      system_fingerprint: "fp_test-Org-Tiny-Model-Q4_1-Q4_1",
      choices: [{ text: " a time", index: 0, logprobs: null, finish_reason: "stop" }],
      usage: {
        ...{ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      timings: expect.objectContaining({ predicted_n: 2 }),
      topas: { request_id: "r1", queue_ms: 40, ttft_ms: 90 },
    });
    expect(live.requests[0]?.spec).toMatchObject({ maxTokens: 16, sampling: { temperature: 1, topP: 1 } });
    expect(live.encoded).toEqual([{ kind: "text", text: "Once upon" }]);
  });

  it("says thoughts and calls as the text that they are", async () => {
    const text = '<think>hm</think><tool_call>{"name":"a","arguments":{}}</tool_call>';
    const { client } = await startServer({ answers: [text] });
    expect((await client.completions.create(ask)).choices[0]?.text).toBe(text);
  });

  it("is streamed in chunks, with the usage last where it was asked for", async () => {
    const { client } = await startServer({ answers: [" a", " time"] });
    const stream = await client.completions.create({ ...ask, stream: true, stream_options: { include_usage: true } });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices.map(({ text, finish_reason }) => [text, finish_reason]))).toEqual([
      ...[[[" a", null]], [[" time", null]], [["", "stop"]], []],
    ]);
    expect(chunks.map(({ usage }) => usage?.total_tokens)).toEqual([undefined, undefined, undefined, 5]);
  });

  it("answers several prompts in order, each as often as asked, and repeats them", async () => {
    const { client } = await startServer({ answers: ["!"], engine: { slots: 8 } });
    const texts = await client.completions.create({ ...ask, prompt: ["a", "b c"], n: 2, echo: true });
    expect(texts.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, "a!"],
      [1, "a!"],
      [2, "b c!"],
      [3, "b c!"],
    ]);
    expect(texts.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 4 });
    const tokens = await client.completions.create({ ...ask, prompt: [[72, 105]], echo: true });
    expect(tokens.choices[0]?.text).toBe("Hi!");
    const list = [];
    for await (const chunk of await client.completions.create({ ...ask, prompt: [72, 105], echo: true, stream: true }))
      list.push(chunk.choices[0]?.text);
    expect(list).toEqual(["Hi", "!", ""]);
  });

  it("tells how likely its tokens were, and where they stand", async () => {
    const { client, live } = await startServer();
    const answer = client.completions.create({ ...ask, logprobs: 2 });
    const request = await live.submitted();
    expect(request.spec.sampling.topLogprobs).toBe(2);
    request.admit();
    const token = (text: string, logprob: number) => ({ token: 1, bytes: [...Buffer.from(text)], logprob });
    request.text("Hi", [{ ...token("Hi", -0.5), top: [token("Hi", -0.5), token("Ho", -1)] }]);
    request.text(" you", [{ ...token(" you", Number.NEGATIVE_INFINITY), top: [] }]);
    request.finish("length");
    expect((await answer).choices[0]).toEqual({
      ...{ text: "Hi you", index: 0, finish_reason: "length" },
      logprobs: {
        ...{ tokens: ["Hi", " you"], token_logprobs: [-0.5, -9999], text_offset: [0, 2] },
        top_logprobs: [{ Hi: -0.5, Ho: -1 }, {}],
      },
    });
  });

  it.each<[object, string, string]>([
    [{ prompt: undefined }, "prompt", "missing_required_parameter"],
    [{ prompt: [] }, "prompt", "invalid_value"],
    [{ prompt: 5 }, "prompt", "invalid_value"],
    [{ prompt: ["a", 5] }, "prompt.1", "invalid_value"],
    [{ prompt: [-1] }, "prompt.0", "invalid_value"],
    [{ prompt: [70_000], echo: true }, "prompt", "prompt_refused"],
    [{ prompt: "word ".repeat(70) }, "prompt", "context_length_exceeded"],
    [{ suffix: "end" }, "suffix", "unsupported_parameter"],
    [{ best_of: 3 }, "best_of", "unsupported_parameter"],
    [{ echo: true, logprobs: 1 }, "echo", "unsupported_parameter"],
    [{ logprobs: 6 }, "logprobs", "invalid_value"],
    [{ prompt: Array(100).fill("a"), n: 100 }, "prompt", "unsupported_parameter"],
    [{ max_tokens: 0 }, "max_tokens", "invalid_value"],
    [{ grammar: "none" }, "grammar", "invalid_value"],
  ])("with %j is a 400 that names the field", async (change, param, code) => {
    const { url } = await startServer({ answers: ["a"] });
    const response = await post(`${url}/completions`, { ...ask, ...change });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param, code });
  });
});
