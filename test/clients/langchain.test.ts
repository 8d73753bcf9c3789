/** LangChain.js and LangGraph.js against the whole server, as programs of agents use them. */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { noiseServerForTests } from "./noise-server";
import { checkedFetch } from "./openai-schema/checked-fetch";

const server = noiseServerForTests();
const checking = checkedFetch();
const configuration = () => ({ baseURL: `${server().origin}/v1`, fetch: checking.fetch });
const model = (maxTokens = 8, more: object = {}) =>
  new ChatOpenAI({
    model: "default",
    apiKey: "none",
    maxRetries: 0,
    maxTokens,
    configuration: configuration(),
    ...more,
  });

afterAll(async () => expect(await checking.problems()).toEqual([]));

const place = z.object({ city: z.enum(["Bern", "Basel"]) });
const weather = tool(async ({ city }) => `sunny in ${city}`, {
  ...{ name: "weather", description: "Tells the weather", schema: place },
});
const forced = { tool_choice: "weather", parallel_tool_calls: false };

describe("LangChain", () => {
  it("asks, streams and reads the usage", async () => {
    const answer = await model().invoke("Look around.");
    expect(answer.usage_metadata?.output_tokens).toBe(8);
    expect(answer.response_metadata.finish_reason).toBe("length");
    let pieces = 0;
    for await (const _ of await model().stream("Look around.")) pieces += 1;
    expect(pieces).toBeGreaterThan(2);
  });

  it("calls a tool and gives its result back", async () => {
    const bound = model(400).bindTools([weather], forced);
    const asked = [new HumanMessage("How is it there?")];
    const answer = await bound.invoke(asked);
    const [call] = answer.tool_calls ?? [];
    expect(call).toMatchObject({ name: "weather", args: { city: expect.stringMatching(/^(Bern|Basel)$/) } });
    const result = new ToolMessage({ content: "sunny", tool_call_id: call?.id ?? "" });
    expect((await model().invoke([...asked, answer, result])).content).toEqual(expect.any(String));
  });

  it.each(["jsonSchema", "functionCalling"] as const)("gets structured output by %s", async (method) => {
    const structured = model(400).withStructuredOutput(place, { method, name: "place", strict: true });
    expect(["Bern", "Basel"]).toContain((await structured.invoke("Where?")).city);
  });

  it("embeds", async () => {
    const embeddings = new OpenAIEmbeddings({
      model: "default",
      apiKey: "none",
      maxRetries: 0,
      configuration: configuration(),
    });
    expect(await embeddings.embedDocuments(["a cat", "rain"])).toHaveLength(2);
  });
});

describe("LangGraph", () => {
  it("runs an agent that calls a tool and answers", async () => {
    const agent = model(400).bindTools([weather], forced);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("agent", async ({ messages }) => ({ messages: [await agent.invoke(messages)] }))
      .addNode("tools", new ToolNode([weather]))
      .addNode("writer", async ({ messages }) => ({ messages: [await model().invoke(messages)] }))
      .addEdge(START, "agent")
      .addEdge("agent", "tools")
      .addEdge("tools", "writer")
      .addEdge("writer", END)
      .compile();
    const { messages } = await graph.invoke({ messages: [new HumanMessage("How is it there?")] });
    expect(messages.map((message) => message.getType())).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages[2]?.content).toMatch(/^sunny in (Bern|Basel)$/);
    expect(messages[3]).toBeInstanceOf(AIMessage);
  });

  it("names its stages in metadata, and the server knows them", async () => {
    const State = Annotation.Root({
      notes: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
    });
    const ask = (stage: string) => async () => {
      const metadata = { "workflow.id": "crew", "workflow.run": "r1", "workflow.stage": stage };
      const answer = await model(8, { modelKwargs: { metadata } }).invoke(`I am ${stage}.`);
      return { notes: [String(answer.content)] };
    };
    const graph = new StateGraph(State)
      .addNode("plan", ask("plan"))
      .addNode("left", ask("left"))
      .addNode("right", ask("right"))
      .addEdge(START, "plan")
      .addEdge("plan", "left")
      .addEdge("plan", "right")
      .addEdge("left", END)
      .addEdge("right", END)
      .compile();
    expect((await graph.invoke({})).notes).toHaveLength(3);
    const { data } = await (await fetch(`${server().origin}/v1/requests`)).json();
    expect(JSON.stringify(data)).toContain('"crew"');
  });
});
