/** OpenAI's embeddings, and the tokens of texts and back in llama-server's words and vLLM's. */
import { describe, expect, it } from "vitest";
import { errorOf, hello, post, startServer } from "./start-server";

describe("embeddings", () => {
  it("are vectors of length 1, as the official client reads them", async () => {
    const { client } = await startServer();
    const answer = await client.embeddings.create({ model: "default", input: ["ab", "c"] });
    expect(answer).toMatchObject({ object: "list", model: "default", usage: { prompt_tokens: 5, total_tokens: 5 } });
    expect(answer.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 8],
      [1, 8],
    ]);
    for (const { embedding } of answer.data) expect(Math.hypot(...embedding)).toBeCloseTo(1, 6);
  });

  it("come as numbers or as base64, whole or shortened", async () => {
    const { url } = await startServer();
    const ask = async (more: object) =>
      (await (await post(`${url}/embeddings`, { model: "default", input: [97, 98], ...more })).json()).data[0]
        .embedding;
    const numbers = await ask({ encoding_format: "float" });
    const bytes = Buffer.from(await ask({ encoding_format: "base64" }), "base64");
    expect(numbers.map((_: number, index: number) => bytes.readFloatLE(4 * index))).toEqual(numbers.map(Math.fround));
    const short = await ask({ dimensions: 2 });
    expect(short).toHaveLength(2);
    expect(Math.hypot(...short)).toBeCloseTo(1, 6);
  });

  it.each<[object, string, string]>([
    [{ input: undefined }, "input", "missing_required_parameter"],
    [{ input: "" }, "input", "invalid_value"],
    [{ input: [] }, "input", "invalid_value"],
    [{ input: [[]] }, "input", "invalid_value"],
    [{ input: ["a", [1]] }, "input.1", "invalid_value"],
    [{ input: Array(2049).fill("a") }, "input", "invalid_value"],
    [{ encoding_format: "int8" }, "encoding_format", "invalid_value"],
    [{ dimensions: 9 }, "dimensions", "invalid_value"],
    [{ dimensions: 0 }, "dimensions", "invalid_value"],
  ])("with %.60j are a 400 that names the field", async (change, param, code) => {
    const { url } = await startServer();
    const response = await post(`${url}/embeddings`, { model: "default", input: "a", ...change });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param, code });
  });
});

describe("tokens", () => {
  it("of a text are given in both dialects", async () => {
    const { origin, url } = await startServer();
    const tokens = async (body: object, base = origin) => (await post(`${base}/tokenize`, body)).json();
    expect(await tokens({ content: "ab" })).toEqual({ tokens: [97, 98], count: 2, max_model_len: 64 });
    expect(await tokens({ content: "ab", add_special: true })).toMatchObject({ tokens: [1, 97, 98] });
    expect(await tokens({ model: "default", prompt: "ab" }, url)).toMatchObject({ tokens: [1, 97, 98] });
    expect(await tokens({ prompt: "ab", add_special_tokens: false })).toMatchObject({ tokens: [97, 98] });
  });

  it("of messages are those that a chat completion would read", async () => {
    const { origin, live } = await startServer();
    const answer = await (await post(`${origin}/tokenize`, hello)).json();
    expect(answer).toMatchObject({ count: 3 });
    expect(live.encoded).toEqual([{ kind: "chat", messages: [{ role: "user", content: "hello there" }] }]);
  });

  it("become their text again", async () => {
    const { origin } = await startServer();
    const answer = await (await post(`${origin}/detokenize`, { tokens: [72, 105] })).json();
    expect(answer).toEqual({ content: "Hi", prompt: "Hi" });
  });

  it.each<[string, object, string]>([
    ["tokenize", {}, "content"],
    ["tokenize", { content: 5 }, "content"],
    ["tokenize", { content: "a", with_pieces: true }, "with_pieces"],
    ["tokenize", { messages: [{ role: "boss" }] }, "messages.0.role"],
    ["detokenize", {}, "tokens"],
    ["detokenize", { tokens: [1.5] }, "tokens.0"],
    ["detokenize", { tokens: [70_000] }, "tokens"],
  ])("%s of %j is a 400 that names the field", async (path, body, param) => {
    const { origin } = await startServer();
    const response = await post(`${origin}/${path}`, body);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param });
  });
});
