/** The official OpenAI client against the whole server: chat completions, completions, embeddings, each answer checked against OpenAI's schema. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import OpenAI from "openai";
import { afterAll, describe, expect, it } from "vitest";
import { usableSchemas } from "../schema/usable-schemas";
import { noiseServerForTests } from "./noise-server";
import { checkedFetch } from "./openai-schema/checked-fetch";

const server = noiseServerForTests();
const checking = checkedFetch();
const client = () =>
  new OpenAI({ baseURL: `${server().origin}/v1`, apiKey: "none", maxRetries: 0, fetch: checking.fetch });
const messages = [{ role: "user" as const, content: "Look around." }];
const short = { model: "default", max_completion_tokens: 8, messages };

afterAll(async () => {
  expect(await checking.problems()).toEqual([]);
  expect(checking.checked).toBeGreaterThan(50);
});

const parameters = {
  type: "object",
  properties: { city: { enum: ["Bern", "Basel"] }, days: { type: "integer", minimum: 1, maximum: 14 } },
  required: ["city", "days"],
  additionalProperties: false,
};
const weather = { type: "function" as const, function: { name: "weather", parameters, strict: true } };
const news = { type: "function" as const, function: { name: "news", parameters: { type: "object", properties: {} } } };
const long = { model: "default", max_completion_tokens: 400, messages };

function checkCall(call: OpenAI.ChatCompletionMessageToolCall | undefined): void {
  if (call?.type !== "function") throw new Error("There is no call.");
  const given = JSON.parse(call.function.arguments);
  if (call.function.name === "news") return expect(given).toEqual(expect.any(Object));
  expect(["Bern", "Basel"]).toContain(given.city);
  expect(given.days).toBeGreaterThanOrEqual(1);
  expect(given.days).toBeLessThanOrEqual(14);
}

describe("chat completions", () => {
  it("answer whole and streamed", async () => {
    const whole = await client().chat.completions.create(short);
    expect(whole.choices[0]?.finish_reason).toBe("length");
    expect(whole.usage?.completion_tokens).toBe(8);
    const stream = client().chat.completions.stream({ ...short, stream_options: { include_usage: true } });
    const streamed = await stream.finalChatCompletion();
    expect(streamed.usage?.completion_tokens).toBe(8);
    expect((await client().models.list()).data.length).toBeGreaterThan(0);
  });

  it("force a call of the named tool, whole and streamed", async () => {
    const tool_choice = { type: "function" as const, function: { name: "weather" } };
    const asked = { ...long, tools: [news, weather], tool_choice, parallel_tool_calls: false };
    const whole = await client().chat.completions.create(asked);
    expect(whole.choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    expect(whole.choices[0]?.message.tool_calls?.map((call) => call.type === "function" && call.function.name)).toEqual(
      ["weather"],
    );
    checkCall(whole.choices[0]?.message.tool_calls?.[0]);
    const streamed = await client().chat.completions.stream(asked).finalChatCompletion();
    expect(streamed.choices[0]?.finish_reason).toBe("tool_calls");
    checkCall(streamed.choices[0]?.message.tool_calls?.[0]);
  });

  it("force a call of any tool and take its result", async () => {
    const asked = { ...long, tools: [weather], tool_choice: "required" as const, parallel_tool_calls: false };
    const [choice] = (await client().chat.completions.create(asked)).choices;
    const call = choice?.message.tool_calls?.[0];
    checkCall(call);
    if (choice === undefined || call === undefined) return;
    const result = { role: "tool" as const, tool_call_id: call.id, content: "sunny" };
    const next = await client().chat.completions.create({
      ...short,
      tools: [weather],
      tool_choice: "none",
      messages: [...messages, choice.message, result],
    });
    expect(next.choices[0]?.message.content).toEqual(expect.any(String));
    expect(next.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(0);
  });

  it("hold an answer to its form or let it be a call", async () => {
    const schema = { ...parameters, additionalProperties: false };
    const response_format = { type: "json_schema" as const, json_schema: { name: "x", schema, strict: true } };
    const asked = { ...long, tools: [weather], response_format, parallel_tool_calls: false, n: 6 };
    const { choices } = await client().chat.completions.create(asked);
    for (const { finish_reason, message } of choices) {
      if (finish_reason === "tool_calls") checkCall(message.tool_calls?.[0]);
      else expect(["Bern", "Basel"]).toContain(JSON.parse(message.content ?? "").city);
    }
  });

  it("tell how likely each token was, give several choices, and repeat themselves with a seed", async () => {
    const asked = { ...short, n: 2, seed: 5, logprobs: true, top_logprobs: 3, temperature: 1 };
    const [first, second] = await Promise.all([1, 2].map(() => client().chat.completions.create(asked)));
    expect(first?.choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(first?.choices[0]?.logprobs?.content).toHaveLength(8);
    expect(first?.choices[0]?.message.content).not.toBe(first?.choices[1]?.message.content);
    expect(second?.choices).toHaveLength(2);
    const streamed = await client()
      .chat.completions.stream({ ...asked, n: 1 })
      .finalChatCompletion();
    expect(streamed.choices[0]?.logprobs?.content).toHaveLength(8);
  });

  it("never draw a token that is forbidden", async () => {
    const free = await client().chat.completions.create({ ...short, temperature: 0, logprobs: true, top_logprobs: 1 });
    const said = free.choices[0]?.message.content ?? "";
    const { tokens } = await (
      await fetch(`${server().origin}/tokenize`, {
        ...{ method: "POST", headers: { "content-type": "application/json" } },
        body: JSON.stringify({ content: said }),
      })
    ).json();
    const logit_bias = Object.fromEntries(tokens.map((token: number) => [token, -100]));
    const other = await client().chat.completions.create({ ...short, temperature: 0, logit_bias });
    expect(other.choices[0]?.message.content).not.toBe(said);
  });

  it("refuse in OpenAI's words", async () => {
    const schema = { type: "object", not: {} };
    const response_format = { type: "json_schema" as const, json_schema: { name: "x", schema } };
    await expect(client().chat.completions.create({ ...short, response_format })).rejects.toMatchObject({
      ...{ status: 400, param: "response_format.json_schema.schema.not", code: "invalid_value" },
    });
    await expect(client().chat.completions.create({ ...short, model: "gpt" })).rejects.toMatchObject({ status: 404 });
  });
});

describe("an answer in JSON", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  // Texts without an end would take the noise model as long as it likes.
  const tried = usableSchemas.filter(([what]) =>
    /^(the (format|pattern)|whole numbers|numbers|listed|one |a tuple|text of)/.test(what),
  );

  it("obeys every schema, streamed", async () => {
    const answers = await Promise.all(
      tried.map(async ([what, schema]) => {
        const response_format = {
          type: "json_schema" as const,
          json_schema: { name: "x", schema: { ...schema }, strict: true },
        };
        let text = "";
        let reason: string | null = null;
        const asked = { ...long, response_format, stream: true as const };
        for await (const { choices } of await client().chat.completions.create(asked)) {
          text += choices[0]?.delta.content ?? "";
          reason ??= choices[0]?.finish_reason ?? null;
        }
        return { what, schema, text, reason };
      }),
    );
    let whole = 0;
    for (const { what, schema, text, reason } of answers) {
      // A noise model may go on until its room is used up.
      if (reason === "length") continue;
      whole += 1;
      const value = JSON.parse(text);
      expect(ajv.validate(schema, value), `${what}: ${JSON.stringify(value)} ${ajv.errorsText()}`).toBe(true);
    }
    expect(whole).toBeGreaterThan(tried.length / 2);
  });
});

describe("completions and embeddings", () => {
  it("answer whole and streamed", async () => {
    const asked = { model: "default", prompt: ["Once", "Twice"], max_tokens: 5, logprobs: 2 };
    const whole = await client().completions.create(asked);
    expect(whole.choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(whole.choices[0]?.logprobs?.tokens).toHaveLength(5);
    let text = "";
    for await (const { choices } of await client().completions.create({
      ...asked,
      prompt: "Once",
      echo: true,
      logprobs: null,
      stream: true,
    })) {
      text += choices[0]?.text ?? "";
    }
    expect(text.startsWith("Once")).toBe(true);
  });

  it("embed texts alike and different ones apart", async () => {
    const { data } = await client().embeddings.create({ model: "default", input: ["a cat", "a cat", "rain"] });
    const [first = [], same = [], other = []] = data.map(({ embedding }) => embedding);
    const dot = (left: readonly number[], right: readonly number[]) =>
      left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
    expect(dot(first, same)).toBeGreaterThan(0.999);
    expect(dot(first, other)).toBeLessThan(dot(first, same));
  });
});
