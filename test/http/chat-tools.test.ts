/** Calls of tools, forms of answers, several choices and log probabilities through the chat API. */
import { describe, expect, it } from "vitest";
import { errorOf, hello, post, startServer } from "./start-server";

const weather = {
  type: "function" as const,
  function: {
    name: "weather",
    description: "Tells the weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const called = ["Let me look. <tool", '_call>{"name": "weather", "argu', 'ments": {"city": ', '"Bern"}}</tool_call>'];
const knowsTools = {
  engine: { chat: { templateKnowsTools: true, toolFormat: "hermes" as const, templateKnowsThinking: true } },
};
const image = { type: "json_schema", json_schema: { name: "x", strict: true, schema: { type: "object" } } };

describe("a call of a tool", () => {
  it("is streamed as deltas: id and name once, then its arguments, and no mark", async () => {
    const { client } = await startServer({ answers: called, ...knowsTools });
    const stream = await client.chat.completions.create({ ...hello, tools: [weather], stream: true });
    const deltas = [];
    for await (const chunk of stream) deltas.push(chunk.choices[0]);
    expect(deltas.map((choice) => choice?.delta)).toEqual([
      { role: "assistant", content: "" },
      { content: "Let me look." },
      {
        tool_calls: [
          {
            index: 0,
            id: expect.stringMatching(/^call_\w{24}$/),
            type: "function",
            function: { name: "weather", arguments: "" },
          },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"city": ' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"Bern"}' } }] },
      {},
    ]);
    expect(deltas.map((choice) => choice?.finish_reason)).toEqual([null, null, null, null, null, "tool_calls"]);
  });

  it("is one object in a whole answer", async () => {
    const { client } = await startServer({ answers: called, ...knowsTools });
    const answer = await client.chat.completions.create({ ...hello, tools: [weather] });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "Let me look.",
        tool_calls: [{ type: "function", function: { name: "weather", arguments: '{"city": "Bern"}' } }],
      },
    });
  });

  it("comes alone where parallel calls are not wanted", async () => {
    const { client } = await startServer({ answers: [...called, "<tool", ...called.slice(1)], ...knowsTools });
    const both = await client.chat.completions.create({ ...hello, tools: [weather] });
    expect(both.choices[0]?.message.tool_calls).toHaveLength(2);
    const one = await client.chat.completions.create({ ...hello, tools: [weather], parallel_tool_calls: false });
    expect(one.choices[0]?.message.tool_calls).toHaveLength(1);
  });

  it("is plain text where no tool may be called", async () => {
    const { client, live } = await startServer({ answers: called, ...knowsTools });
    const answer = await client.chat.completions.create({ ...hello, tools: [weather], tool_choice: "none" });
    expect(answer.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: called.join("") } });
    expect(live.encoded[0]).not.toHaveProperty("tools");
  });

  it.each([
    ["required", "required" as const],
    ["named", { type: "function" as const, function: { name: "weather" } }],
  ])("is forced by a grammar when %s", async (_kind, tool_choice) => {
    const { client, live } = await startServer({
      answers: called,
      ...knowsTools,
    });
    await client.chat.completions.create({ ...hello, tools: [weather], tool_choice });
    const { grammar } = live.requests[0]?.spec.sampling ?? {};
    expect(grammar).toContain('"{\\"name\\": \\"weather\\", \\"arguments\\": "');
    expect(grammar).toContain("<tool_call>");
  });

  it("whose strict schema no grammar can express is refused by name", async () => {
    const { url, live } = await startServer({ answers: ["a"] });
    const parameters = { type: "object", properties: { city: { type: "string", format: "city" } } };
    const tools = [{ type: "function", function: { name: "weather", parameters, strict: true } }];
    const refused = await post(`${url}/chat/completions`, { ...hello, tools, tool_choice: "required" });
    expect(refused.status).toBe(400);
    expect(await errorOf(refused)).toMatchObject({ param: "tools.0.function.parameters.properties.city.format" });
    expect(live.requests).toEqual([]);
  });

  it("is described to a model whose template knows no tools, and so are earlier calls and results", async () => {
    const { client, live } = await startServer({ answers: ["Sunny."], engine: { slotTokens: 512 } });
    const call = { id: "c1", type: "function" as const, function: { name: "weather", arguments: '{"city":"Bern"}' } };
    await client.chat.completions.create({
      ...hello,
      messages: [
        { role: "system", content: "Be brief." },
        ...hello.messages,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "sunny" },
      ],
      tools: [weather],
    });
    const source = live.encoded[0];
    const messages = source?.kind === "chat" ? source.messages : [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(messages[0]?.content).toMatch(/^Be brief\.\n\nYou can call functions[\s\S]*"name":"weather"/);
    expect(messages[2]?.content).toBe('<tool_call>\n{"name": "weather", "arguments": {"city":"Bern"}}\n</tool_call>');
    expect(messages[3]?.content).toBe("<tool_response>\nsunny\n</tool_response>");
  });
});

describe("allowed tools", () => {
  const news = { ...weather, function: { ...weather.function, name: "news" } };
  const only = (mode: string, name = "news") => ({
    ...{ ...hello, tools: [weather, news] },
    tool_choice: { type: "allowed_tools", allowed_tools: { mode, tools: [{ type: "function", function: { name } }] } },
  });

  it("are the only ones that the model is shown and can be made to call", async () => {
    const { url, live } = await startServer({ answers: ["a"], ...knowsTools });
    await post(`${url}/chat/completions`, only("auto"));
    expect(live.encoded[0]).toMatchObject({ tools: [{ name: "news" }] });
    await post(`${url}/chat/completions`, only("required"));
    expect(live.requests[1]?.spec.sampling.grammar).toContain("news");
    expect(live.requests[1]?.spec.sampling.grammar).not.toContain("weather");
  });

  it("are among those that were sent", async () => {
    const { url } = await startServer({ answers: ["a"] });
    expect(await errorOf(await post(`${url}/chat/completions`, only("auto", "sports")))).toMatchObject({
      ...{ param: "tool_choice", code: "invalid_value" },
    });
  });
});

describe("the form of an answer", () => {
  it("leaves room for a call where tools may be called", async () => {
    const { client, live } = await startServer({
      answers: [called.join("").slice(called.join("").indexOf("<"))],
      ...knowsTools,
    });
    const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
    const response_format = { type: "json_schema" as const, json_schema: { name: "x", schema } };
    const answer = await client.chat.completions.create({ ...hello, tools: [weather], response_format });
    expect(live.requests[0]?.spec.sampling.grammar).toMatch(/^root ::= wrapped-call .* \| schema\n/);
    expect(answer.choices[0]).toMatchObject({ finish_reason: "tool_calls" });
    const plain = await startServer({ answers: ['{"ok": ', "true}"], ...knowsTools });
    const said = await plain.client.chat.completions.create({ ...hello, tools: [weather], response_format });
    expect(said.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: '{"ok": true}' } });
  });

  it("is a grammar", async () => {
    const { url, live } = await startServer({ answers: ["{}"] });
    await post(`${url}/chat/completions`, { ...hello, response_format: { type: "json_object" } });
    await post(`${url}/chat/completions`, { ...hello, response_format: image });
    await post(`${url}/chat/completions`, { ...hello, grammar: 'root ::= "yes" | "no"' });
    const grammars = live.requests.map(({ spec }) => spec.sampling.grammar);
    expect(grammars[0]).toMatch(/^root ::= object\n/);
    expect(grammars[1]).toMatch(/^root ::= schema\n/);
    expect(grammars[2]).toBe('root ::= "yes" | "no"');
  });

  it.each<[object, string, string]>([
    [
      { response_format: { type: "json_schema", json_schema: { schema: { not: {} } } } },
      "response_format.json_schema.schema.not",
      "invalid_value",
    ],
    [{ grammar: "no grammar" }, "grammar", "invalid_value"],
    [{ grammar: 'root ::= "a"', response_format: image }, "grammar", "unsupported_parameter"],
    [{ grammar: 'root ::= "a"', tools: [weather], tool_choice: "required" }, "grammar", "unsupported_parameter"],
    [{ ignore_eos: true, response_format: image }, "ignore_eos", "unsupported_parameter"],
    [{ typical_p: 0.5 }, "typical_p", "unsupported_parameter"],
  ])("that cannot be had is refused by name: %j", async (change, param, code) => {
    const { url, live } = await startServer({ answers: ["a"] });
    const response = await post(`${url}/chat/completions`, { ...hello, ...change });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param, code });
    expect(live.requests).toEqual([]);
  });
});

describe("a thought that the template opened itself", () => {
  it("is told from speech", async () => {
    const { client, live } = await startServer({ answers: ["hm", "m</think>\n", "Yes"], ...knowsTools });
    live.detokenize = async () => "<|im_start|>assistant\n<think>\n";
    const answer = await client.chat.completions.create(hello);
    expect(answer.choices[0]?.message).toMatchObject({ content: "Yes", reasoning_content: "hmm" });
  });
});

describe("several choices", () => {
  it("come with their index, share the prompt in the usage and draw with other seeds", async () => {
    const { client, live } = await startServer({ answers: ["a", "b"], engine: { slots: 4 } });
    const answer = await client.chat.completions.create({ ...hello, n: 3, seed: 7 });
    expect(answer.choices.map(({ index, message }) => [index, message.content])).toEqual([
      [0, "ab"],
      [1, "ab"],
      [2, "ab"],
    ]);
    expect(answer.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 6, total_tokens: 9 });
    expect(live.requests.map(({ spec }) => spec.sampling.seed)).toEqual([7, 8, 9]);
    expect(live.encoded).toHaveLength(1);
  });

  it("are streamed side by side, each with one finish reason", async () => {
    const { client } = await startServer({ answers: ["a"] });
    const finishes: number[] = [];
    for await (const { choices } of await client.chat.completions.create({ ...hello, n: 2, stream: true })) {
      for (const { index, finish_reason } of choices) if (finish_reason) finishes.push(index);
    }
    expect(finishes.sort()).toEqual([0, 1]);
  });

  it("end together when one fails", async () => {
    const { url, live } = await startServer();
    const answer = post(`${url}/chat/completions`, { ...hello, n: 2 });
    await live.submitted(2);
    live.requests[1]?.admit();
    live.requests[1]?.fail("No room.");
    expect((await answer).status).toBe(500);
    expect(live.requests.map(({ ended }) => ended)).toEqual([true, true]);
  });
});

describe("log probabilities", () => {
  it("stand beside their text", async () => {
    const { client, live } = await startServer();
    const answer = client.chat.completions.create({
      ...hello,
      logprobs: true,
      top_logprobs: 1,
      logit_bias: { "5": -100 },
    });
    const request = await live.submitted();
    expect(request.spec.sampling).toMatchObject({ topLogprobs: 1, logitBias: [{ token: 5, bias: -100 }] });
    request.admit();
    const likely = { token: 3, bytes: [72, 105], logprob: -0.5 };
    request.text("Hi", [{ ...likely, top: [likely] }]);
    request.finish();
    const said = { token: "Hi", bytes: [72, 105], logprob: -0.5 };
    expect((await answer).choices[0]?.logprobs).toEqual({
      content: [{ ...said, top_logprobs: [said] }],
      refusal: null,
    });
  });
});
