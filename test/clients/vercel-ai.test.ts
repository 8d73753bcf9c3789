/** Vercel's AI SDK against the whole server: its provider for compatible servers, and OpenAI's own with chat, completions and Responses. */
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embed, generateObject, generateText, jsonSchema, streamText, tool } from "ai";
import { afterAll, describe, expect, it } from "vitest";
import { noiseServerForTests } from "./noise-server";
import { checkedFetch } from "./openai-schema/checked-fetch";

const server = noiseServerForTests();
const checking = checkedFetch();
const options = () => ({ baseURL: `${server().origin}/v1`, apiKey: "none", fetch: checking.fetch });
const compatible = () =>
  createOpenAICompatible({ name: "topas", includeUsage: true, supportsStructuredOutputs: true, ...options() });
const openai = () => createOpenAI(options());
const short = { prompt: "Look around.", maxOutputTokens: 8, maxRetries: 0 };

afterAll(async () => expect(await checking.problems()).toEqual([]));

const place = jsonSchema<{ city: string }>({
  type: "object",
  properties: { city: { type: "string", enum: ["Bern", "Basel"] } },
  required: ["city"],
  additionalProperties: false,
});
const tools = { weather: tool({ description: "Tells the weather", inputSchema: place, execute: async () => "sunny" }) };

describe.each([
  ["the provider for compatible servers", () => compatible()("default")],
  ["OpenAI's provider with chat", () => openai().chat("default")],
  ["OpenAI's provider with Responses", () => openai().responses("default")],
])("%s", (_name, model) => {
  it("writes text, whole and streamed, and reads the usage", async () => {
    const whole = await generateText({ ...short, model: model() });
    expect(whole.finishReason).toBe("length");
    expect(whole.usage.outputTokens).toBe(8);
    const stream = streamText({ ...short, model: model() });
    let text = "";
    for await (const piece of stream.textStream) text += piece;
    expect(text.length).toBeGreaterThan(0);
    expect((await stream.usage).outputTokens).toBe(8);
  });

  it("calls a required tool", async () => {
    const asked = { ...short, maxOutputTokens: 400, model: model(), tools, toolChoice: "required" as const };
    const { toolCalls, toolResults, finishReason } = await generateText(asked);
    expect(finishReason).toBe("tool-calls");
    expect(toolCalls[0]).toMatchObject({
      toolName: "weather",
      input: { city: expect.stringMatching(/^(Bern|Basel)$/) },
    });
    expect(toolResults[0]).toMatchObject({ output: "sunny" });
    const streamed = streamText(asked);
    expect((await streamed.toolCalls)[0]).toMatchObject({ toolName: "weather" });
  });

  it("gets an object that obeys its schema", async () => {
    const { object } = await generateObject({ ...short, maxOutputTokens: 200, model: model(), schema: place });
    expect(["Bern", "Basel"]).toContain(object.city);
  });
});

describe("the provider for compatible servers", () => {
  it("completes and embeds", async () => {
    const { text } = await generateText({ ...short, model: compatible().completionModel("default") });
    expect(text.length).toBeGreaterThan(0);
    const { embedding } = await embed({ model: compatible().embeddingModel("default"), value: "a cat", maxRetries: 0 });
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 3);
  });
});
