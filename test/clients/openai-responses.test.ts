/** The official OpenAI client's Responses API against the whole server: what Codex and the Agents SDK build on. */
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { noiseServerForTests } from "./noise-server";

const server = noiseServerForTests();
const client = () => new OpenAI({ baseURL: `${server().origin}/v1`, apiKey: "none", maxRetries: 0 });
const short = { model: "default", max_output_tokens: 8 };

describe("a conversation", () => {
  it("goes on from a stored response and finds its prefix in the KV cache", async () => {
    const instructions = "You are a scout. ".repeat(20);
    const first = await client().responses.create({ ...short, instructions, input: "Look around." });
    expect(first).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect(first.usage?.output_tokens).toBe(8);
    const second = await client().responses.create({
      ...{ ...short, instructions, input: "Go on." },
      previous_response_id: first.id,
    });
    const { input_tokens = 0, input_tokens_details } = second.usage ?? {};
    expect(input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0);
    expect(input_tokens_details?.cached_tokens).toBeGreaterThanOrEqual((first.usage?.input_tokens ?? 0) - 8);
  });

  it("streams the same events whatever the words", async () => {
    const stream = client().responses.stream({ ...short, input: "Look around." });
    const types: string[] = [];
    for await (const { type } of stream) if (types.at(-1) !== type) types.push(type);
    expect(types).toEqual([
      ...["response.created", "response.in_progress", "response.output_item.added", "response.content_part.added"],
      ...["response.output_text.delta", "response.output_text.done", "response.content_part.done"],
      ...["response.output_item.done", "response.incomplete"],
    ]);
  });

  it("tells how likely its tokens were", async () => {
    const include = ["message.output_text.logprobs" as const];
    const answer = await client().responses.create({ ...short, input: "Look around.", include, top_logprobs: 2 });
    const [message] = answer.output;
    const part = message?.type === "message" ? message.content[0] : undefined;
    const logprobs = part?.type === "output_text" ? (part.logprobs ?? []) : [];
    expect(logprobs).toHaveLength(8);
    expect(logprobs.every(({ logprob, top_logprobs }) => logprob <= 0 && top_logprobs.length === 2)).toBe(true);
  });

  it("is made in the background", async () => {
    const { id } = await client().responses.create({ ...short, input: "Look around.", background: true });
    await expect
      .poll(async () => (await client().responses.retrieve(id)).status, { timeout: 20_000 })
      .toBe("incomplete");
  });
});
