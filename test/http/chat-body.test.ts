/** What a body may say, what is refused by name, and what reaches the scheduler. */
import { describe, expect, it } from "vitest";
import { readChatBody } from "../../electron/http/chat/chat-body";
import { errorOf, hello, post, startServer } from "./start-server";

const weather = { type: "function", function: { name: "weather", parameters: {} } };
const parts = (part: object) => [{ role: "user", content: [{ type: "text", text: "x" }, part] }];

describe("a wrong body", () => {
  it.each<[string, unknown, string | null, string]>([
    ["no model", { ...hello, model: undefined }, "model", "missing_required_parameter"],
    ["a model that is null", { ...hello, model: null }, "model", "missing_required_parameter"],
    ["an empty model", { ...hello, model: "" }, "model", "invalid_value"],
    ["a model that is a number", { ...hello, model: 5 }, "model", "invalid_value"],
    ["no messages", { model: "default" }, "messages", "missing_required_parameter"],
    ["an empty list of messages", { ...hello, messages: [] }, "messages", "invalid_value"],
    ["messages that are text", { ...hello, messages: "hi" }, "messages", "invalid_value"],
    ["a message that is text", { ...hello, messages: ["hi"] }, "messages.0", "invalid_value"],
    [
      "a message without a role",
      { ...hello, messages: [{ content: "x" }] },
      "messages.0.role",
      "missing_required_parameter",
    ],
    ["an unknown role", { ...hello, messages: [{ role: "boss", content: "x" }] }, "messages.0.role", "invalid_value"],
    [
      "content that is a number",
      { ...hello, messages: [{ role: "user", content: 5 }] },
      "messages.0.content",
      "invalid_value",
    ],
    [
      "a part without a type",
      { ...hello, messages: parts({ text: "x" }) },
      "messages.0.content.1.type",
      "missing_required_parameter",
    ],
    [
      "a part without text",
      { ...hello, messages: parts({ type: "text" }) },
      "messages.0.content.1.text",
      "invalid_value",
    ],
    [
      "an image",
      { ...hello, messages: parts({ type: "image_url", image_url: { url: "x" } }) },
      "messages.0.content.1",
      "unsupported_parameter",
    ],
    [
      "a sound",
      { ...hello, messages: parts({ type: "input_audio" }) },
      "messages.0.content.1",
      "unsupported_parameter",
    ],
    [
      "more messages than OpenAI takes",
      { ...hello, messages: Array(2049).fill({ role: "user", content: "x" }) },
      "messages",
      "invalid_value",
    ],
    [
      "metadata nested too deep to be written again",
      { ...hello, metadata: { a: JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`) } },
      "metadata",
      "invalid_value",
    ],
    ["a long service tier", { ...hello, service_tier: "x".repeat(65) }, "service_tier", "invalid_value"],
    ["no choices", { ...hello, n: 0 }, "n", "invalid_value"],
    ["a temperature in words", { ...hello, temperature: "hot" }, "temperature", "invalid_value"],
    ["a temperature above 2", { ...hello, temperature: 2.1 }, "temperature", "invalid_value"],
    ["top_p below 0", { ...hello, top_p: -0.1 }, "top_p", "invalid_value"],
    ["a penalty above 2", { ...hello, presence_penalty: 3 }, "presence_penalty", "invalid_value"],
    ["a seed with a fraction", { ...hello, seed: 1.5 }, "seed", "invalid_value"],
    ["stream in words", { ...hello, stream: "yes" }, "stream", "invalid_value"],
    ["stream options that are text", { ...hello, stream_options: "x" }, "stream_options", "invalid_value"],
    [
      "include_usage in words",
      { ...hello, stream_options: { include_usage: "x" } },
      "stream_options.include_usage",
      "invalid_value",
    ],
    ["negative max_tokens", { ...hello, max_tokens: -1 }, "max_tokens", "invalid_value"],
    ["max_completion_tokens 0", { ...hello, max_completion_tokens: 0 }, "max_completion_tokens", "invalid_value"],
    ["max_tokens in words", { ...hello, max_tokens: "ten" }, "max_tokens", "invalid_value"],
    ["five stop texts", { ...hello, stop: ["a", "b", "c", "d", "e"] }, "stop", "invalid_value"],
    ["a stop text that is a number", { ...hello, stop: ["a", 5] }, "stop.1", "invalid_value"],
    ["stop as a number", { ...hello, stop: 5 }, "stop", "invalid_value"],
    ["metadata that is a list", { ...hello, metadata: [] }, "metadata", "invalid_value"],
    ["tools that are text", { ...hello, tools: "weather" }, "tools", "invalid_value"],
    [
      "a tool without a name",
      { ...hello, tools: [{ type: "function", function: {} }] },
      "tools.0.function.name",
      "missing_required_parameter",
    ],
    [
      "a tool without a function",
      { ...hello, tools: [{ type: "function" }] },
      "tools.0.function",
      "missing_required_parameter",
    ],
    ["a tool of another kind", { ...hello, tools: [{ type: "web_search" }] }, "tools.0.type", "unsupported_parameter"],
    ["a required tool and no tools", { ...hello, tool_choice: "required" }, "tool_choice", "invalid_value"],
    [
      "the choice of a tool that is not there",
      { ...hello, tools: [weather], tool_choice: { type: "function", function: { name: "news" } } },
      "tool_choice",
      "invalid_value",
    ],
    ["functions", { ...hello, functions: [weather.function] }, "functions", "unsupported_parameter"],
    [
      "an unknown response format",
      { ...hello, response_format: { type: "xml" } },
      "response_format.type",
      "unsupported_parameter",
    ],
    [
      "a JSON schema format without the schema",
      { ...hello, response_format: { type: "json_schema", json_schema: {} } },
      "response_format.json_schema.schema",
      "missing_required_parameter",
    ],
    ["129 choices", { ...hello, n: 129 }, "n", "invalid_value"],
    ["top_logprobs without logprobs", { ...hello, top_logprobs: 3 }, "top_logprobs", "unsupported_parameter"],
    ["21 top_logprobs", { ...hello, logprobs: true, top_logprobs: 21 }, "top_logprobs", "invalid_value"],
    ["a bias for a word", { ...hello, logit_bias: { hello: 10 } }, "logit_bias.hello", "invalid_value"],
    ["a bias above 100", { ...hello, logit_bias: { 5: 101 } }, "logit_bias.5", "invalid_value"],
    ["sound wanted", { ...hello, modalities: ["text", "audio"] }, "modalities", "unsupported_parameter"],
    ["a list", [hello], null, "invalid_value"],
    ["a number", 5, null, "invalid_value"],
  ])("with %s is a 400 that names the field", async (_what, body, param, code) => {
    const { live, url } = await startServer({ answers: ["a"] });
    const response = await post(`${url}/chat/completions`, body);
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error).toEqual({ message: expect.any(String), type: "invalid_request_error", param, code });
    if (param !== null) expect(error.message.length).toBeGreaterThan(10);
    expect(live.requests).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      "max_tokens",
      { max_tokens: 0 },
      "Wrong value for 'max_tokens': at least one token has to be asked for; leave it out to use all the room there is.",
    ],
    ["temperature", { temperature: "hot" }, "Wrong value for 'temperature': expected number, received string."],
    [
      "content",
      { messages: [{ role: "user", content: 5 }] },
      "Wrong value for 'messages.0.content': expected string or array.",
    ],
    ["model", { model: undefined }, "Missing required parameter: 'model'."],
  ])("says in plain words what is wrong with %s", async (_field, change, message) => {
    const { url } = await startServer();
    expect((await errorOf(await post(`${url}/chat/completions`, { ...hello, ...change }))).message).toBe(message);
  });
});

describe("a right body", () => {
  it("is told how many stop texts are possible", async () => {
    const { url } = await startServer();
    const response = await post(`${url}/chat/completions`, { ...hello, stop: ["a", "b", "c", "d", "e"] });
    expect((await errorOf(response)).message).toBe("Wrong value for 'stop': at most 4 stop texts are possible.");
  });

  it("takes null for absent in every optional field", () => {
    const names =
      "stream stream_options max_completion_tokens max_tokens temperature top_p presence_penalty frequency_penalty seed stop top_k min_p user session_id metadata service_tier tools tool_choice functions response_format n logprobs top_logprobs logit_bias modalities reasoning_effort parallel_tool_calls";
    const nulls = Object.fromEntries(names.split(" ").map((name) => [name, null]));
    expect(readChatBody({ ...hello, ...nulls })).toEqual(readChatBody(hello));
  });

  it("has OpenAI's defaults", () => {
    const { sampling, stop, maxTokens, stream, includeUsage } = readChatBody(hello);
    expect({ sampling, stop, maxTokens, stream, includeUsage }).toEqual({
      sampling: { temperature: 1, topP: 1 },
      ...{ stop: [], maxTokens: null, stream: false, includeUsage: false },
    });
  });

  it("ignores unknown fields and what changes nothing", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const extras = {
      ...{ options: { num_ctx: 4 }, store: true, reasoning_effort: "low", verbosity: "low", prompt_cache_key: "k" },
      ...{
        tools: [],
        tool_choice: "auto",
        n: 1,
        logprobs: false,
        top_logprobs: 0,
        logit_bias: {},
        modalities: ["text"],
      },
      ...{ response_format: { type: "text" }, stream_options: { include_usage: true } },
    };
    expect((await post(`${url}/chat/completions`, { ...hello, ...extras })).status).toBe(200);
  });

  it("takes tools that must not be used", async () => {
    const { url } = await startServer({ answers: ["a"] });
    expect((await post(`${url}/chat/completions`, { ...hello, tools: [weather], tool_choice: "none" })).status).toBe(
      200,
    );
  });

  it("reaches the scheduler whole", async () => {
    const { live, client } = await startServer({ answers: ["a"] });
    await client.chat.completions.create({
      ...hello,
      ...{ temperature: 0.2, top_p: 0.9, presence_penalty: 0.5, frequency_penalty: -0.5, seed: 7, stop: "END" },
      ...{ max_tokens: 3, max_completion_tokens: 5, top_k: 40, min_p: 0.05 },
    });
    expect(live.requests[0]?.spec).toMatchObject({
      sampling: {
        temperature: 0.2,
        topP: 0.9,
        topK: 40,
        minP: 0.05,
        presencePenalty: 0.5,
        frequencyPenalty: -0.5,
        seed: 7,
      },
      ...{ stop: ["END"], maxTokens: 5, prefixTokens: 0 },
    });
  });

  it("leaves out empty stop texts and switches top_k off at 0", () => {
    const body = readChatBody({ ...hello, stop: ["", "x"], top_k: 0 });
    expect({ stop: body.stop, sampling: body.sampling }).toEqual({
      stop: ["x"],
      sampling: { temperature: 1, topP: 1 },
    });
  });
});
