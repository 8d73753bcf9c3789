/** What Anthropic's body becomes in neutral words, and what is refused. */
import { describe, expect, it } from "vitest";
import { readMessageBody, readMessagePrompt } from "../../electron/http/anthropic/message-body";
import { ApiError } from "../../electron/http/api-error";

const hello = { model: "default", max_tokens: 10, messages: [{ role: "user", content: "hello" }] };

function messagesOf(fields: object) {
  return readMessageBody({ ...hello, ...fields }).prompt.messages;
}

function refusal(fields: object): ApiError {
  try {
    readMessageBody({ ...hello, ...fields });
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("It was not refused.");
}

describe("the system prompt", () => {
  it("is one message of all its blocks", () => {
    const system = [
      { type: "text", text: "You are a scout.", cache_control: { type: "ephemeral" } },
      { type: "text", text: "Be brief." },
    ];
    expect(messagesOf({ system })[0]).toEqual({ role: "system", content: "You are a scout.\n\nBe brief." });
    expect(messagesOf({ system: "You are a scout." })[0]).toEqual({ role: "system", content: "You are a scout." });
  });

  it("loses Claude Code's billing line, so that an agent and its sub-agents share their prefix", () => {
    const block = (version: string) => ({
      type: "text",
      text: `x-anthropic-billing-header: cc_version=2.1.332.${version}; cc_entrypoint=sdk-cli;`,
    });
    const charter = { type: "text", text: "You are Claude Code." };
    const main = messagesOf({ system: [block("0b8"), charter] });
    expect(main).toEqual(messagesOf({ system: [block("fe2"), charter] }));
    expect(main[0]?.content).toBe("You are Claude Code.");
    expect(messagesOf({ system: "x-anthropic-billing-header: a=b;\nYou are a scout." })[0]?.content).toBe(
      "You are a scout.",
    );
    expect(messagesOf({ system: [block("0b8")] })[0]?.role).toBe("user");
  });

  it("further down becomes the user's, where it stands", () => {
    const messages = [
      { role: "user", content: "hello" },
      { role: "assistant", content: "hi" },
      { role: "system", content: "Remember the plan." },
    ];
    expect(messagesOf({ messages })[2]).toEqual({ role: "user", content: "Remember the plan." });
  });
});

describe("content blocks", () => {
  it("make calls, thoughts and results out of a tool's round", () => {
    const messages = [
      { role: "user", content: "What is the weather?" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "I have to look.", signature: "abc" },
          { type: "text", text: "Let me see." },
          { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bern" } },
          { type: "tool_use", id: "toolu_2", name: "weather", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: "Snow" }, { type: "image" }] },
          { type: "tool_result", tool_use_id: "toolu_2", content: "no city", is_error: true },
          { type: "text", text: "Go on." },
        ],
      },
    ];
    expect(messagesOf({ messages })).toEqual([
      { role: "user", content: "What is the weather?" },
      {
        role: "assistant",
        content: "Let me see.",
        reasoning: "I have to look.",
        toolCalls: [
          { id: "toolu_1", name: "weather", arguments: '{"city":"Bern"}' },
          { id: "toolu_2", name: "weather", arguments: "{}" },
        ],
      },
      { role: "tool", content: "Snow\n\n[A picture, which this model cannot see.]", toolCallId: "toolu_1" },
      { role: "tool", content: "Error: no city", toolCallId: "toolu_2" },
      { role: "user", content: "Go on." },
    ]);
  });

  it("of one role in a row are one turn", () => {
    const messages = [
      { role: "user", content: "one" },
      { role: "user", content: [{ type: "text", text: "two" }] },
    ];
    expect(messagesOf({ messages })).toEqual([{ role: "user", content: "one\n\ntwo" }]);
  });

  it("read plain documents and pass over traces of tools that ran elsewhere", () => {
    const content = [
      { type: "document", title: "Notes", source: { type: "text", media_type: "text/plain", data: "It snows." } },
      { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] },
      { type: "text", text: "So?" },
    ];
    expect(messagesOf({ messages: [{ role: "user", content }] })[0]?.content).toBe("Notes\n\nIt snows.\n\nSo?");
  });
});

describe("tools", () => {
  const weather = { name: "weather", description: "Tells it.", input_schema: { type: "object" } };

  it("are the client's own; those that run on Anthropic's servers are left out", () => {
    const { prompt, droppedTools } = readMessageBody({
      ...hello,
      tools: [weather, { type: "web_search_20250305", name: "web_search" }],
    });
    expect(prompt.tools).toEqual([
      { name: "weather", description: "Tells it.", parameters: { type: "object" }, strict: false, param: "tools.0" },
    ]);
    expect(droppedTools).toEqual(["web_search"]);
    expect(prompt.parallelToolCalls).toBe(true);
  });

  it("are chosen as the client says", () => {
    const choose = (tool_choice: object) => readMessageBody({ ...hello, tools: [weather], tool_choice }).prompt;
    expect(choose({ type: "any" }).toolChoice).toEqual({ kind: "required" });
    expect(choose({ type: "none" }).toolChoice).toEqual({ kind: "none" });
    expect(choose({ type: "tool", name: "weather" }).toolChoice).toEqual({ kind: "named", name: "weather" });
    expect(choose({ type: "auto", disable_parallel_tool_use: true }).parallelToolCalls).toBe(false);
  });
});

it("takes what steers the answer", () => {
  const body = readMessageBody({
    ...hello,
    ...{ temperature: 0.5, top_k: 20, top_p: null, stop_sequences: ["END", ""], stream: true },
    thinking: { type: "adaptive" },
    output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
    unheard_of: { of: 1 },
  });
  expect(body.sampling).toEqual({ temperature: 0.5, topP: 1, topK: 20 });
  expect(body).toMatchObject({ stop: ["END"], stream: true, maxTokens: 10 });
  expect(body.prompt.templateOptions).toEqual({ enable_thinking: true, reasoning_effort: "low" });
  expect(body.prompt.format).toEqual({
    kind: "json_schema",
    schema: { type: "object" },
    param: "output_config.format.schema",
  });
  expect(readMessageBody(hello).prompt.templateOptions).toEqual({ enable_thinking: false });
  expect(readMessagePrompt({ ...hello, max_tokens: undefined }).prompt.messages).toHaveLength(1);
});

it.each([
  [{ max_tokens: undefined }, "max_tokens"],
  [{ max_tokens: 0 }, "max_tokens"],
  [{ messages: [] }, "messages"],
  [{ messages: [{ role: "user", content: [{ type: "image", source: {} }] }] }, "messages.0.content.0"],
  [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages.0.content.0.text"],
  [{ messages: [{ role: "user", content: [{ type: "tool_result" }] }] }, "messages.0.content.0.tool_use_id"],
  [{ messages: [...hello.messages, { role: "assistant", content: "{" }] }, "messages.1"],
  [{ tools: [{ name: "a" }] }, "tools.0.input_schema"],
  [{ tools: [{ name: "a b", input_schema: {} }] }, "tools.0.name"],
  [{ tool_choice: { type: "any" } }, "tool_choice"],
  [{ thinking: { type: "enabled", budget_tokens: 10 } }, "thinking.budget_tokens"],
  [{ output_config: { format: { type: "xml" } } }, "output_config.format"],
])("refuses %j naming the field", (fields, param) => {
  const { status, details } = refusal(fields);
  expect({ status, param: details.param }).toEqual({ status: 400, param });
});
