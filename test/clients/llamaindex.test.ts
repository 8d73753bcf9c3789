/** LlamaIndex.TS against the whole server. */
import { OpenAI, OpenAIEmbedding } from "@llamaindex/openai";
import { FunctionTool } from "llamaindex";
import { afterAll, describe, expect, it } from "vitest";
import { noiseServerForTests } from "./noise-server";
import { checkedFetch } from "./openai-schema/checked-fetch";

const server = noiseServerForTests();
const checking = checkedFetch();
const session = () => ({ apiKey: "none", baseURL: `${server().origin}/v1`, maxRetries: 0 });
const llm = (maxTokens: number, additionalChatOptions: object = {}) =>
  new OpenAI({
    ...{ model: "default", maxTokens, temperature: 0, additionalChatOptions },
    ...session(),
    additionalSessionOptions: { fetch: checking.fetch },
  } as ConstructorParameters<typeof OpenAI>[0]);
const messages = [{ role: "user" as const, content: "Look around." }];

afterAll(async () => expect(await checking.problems()).toEqual([]));

describe("LlamaIndex", () => {
  it("chats, whole and streamed", async () => {
    const { message } = await llm(8).chat({ messages });
    expect(message.content).toEqual(expect.any(String));
    let pieces = 0;
    for await (const _ of await llm(8).chat({ messages, stream: true })) pieces += 1;
    expect(pieces).toBeGreaterThan(2);
  });

  it("calls a tool that is required", async () => {
    const weather = FunctionTool.from(({ city }: { city: string }) => `sunny in ${city}`, {
      ...{ name: "weather", description: "Tells the weather" },
      parameters: {
        type: "object",
        properties: { city: { type: "string", enum: ["Bern", "Basel"] } },
        required: ["city"],
      },
    });
    const forced = { tool_choice: "required", parallel_tool_calls: false };
    const { message } = await llm(400, forced).chat({ messages, tools: [weather] });
    expect(message.options).toMatchObject({ toolCall: [{ name: "weather" }] });
    expect(JSON.stringify(message.options)).toMatch(/Bern|Basel/);
  });

  it("embeds", async () => {
    const model = new OpenAIEmbedding({ model: "default", ...session() });
    expect((await model.getTextEmbedding("a cat")).length).toBeGreaterThan(8);
  });
});
