/** What a body of the Responses API becomes in neutral words, and what is refused. */
import { describe, expect, it } from "vitest";
import { ApiError } from "../../electron/http/api-error";
import { messagesOf } from "../../electron/http/responses/input-items";
import { readResponseBody, templateOptions } from "../../electron/http/responses/response-body";
import { sealThought } from "../../electron/http/responses/sealed-thought";

const hello = { model: "default", input: "hello" };
const read = (fields: object) => readResponseBody({ ...hello, ...fields });
const messages = (input: unknown, instructions?: string) => messagesOf(instructions, read({ input }).input);

describe("items", () => {
  it("of a plain text are one user message behind the instructions", () => {
    expect(messages("hello", "Be brief.")).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "hello" },
    ]);
  });

  it("of the assistant that follow one another are one message", () => {
    const input = [
      { role: "user", content: [{ type: "input_text", text: "What is the weather?" }] },
      { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "Look it up." }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me see.", annotations: [] }] },
      { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Bern"}' },
      { type: "custom_tool_call", call_id: "call_2", name: "apply", input: "*** Begin" },
      { type: "function_call_output", call_id: "call_1", output: "Snow" },
      { type: "custom_tool_call_output", call_id: "call_2", output: [{ type: "input_text", text: "Done" }] },
      { type: "message", role: "assistant", content: "It snows." },
    ];
    expect(messages(input)).toEqual([
      { role: "user", content: "What is the weather?" },
      {
        role: "assistant",
        content: "Let me see.",
        reasoning: "Look it up.",
        toolCalls: [
          { id: "call_1", name: "weather", arguments: '{"city":"Bern"}' },
          { id: "call_2", name: "apply", arguments: '{"input":"*** Begin"}' },
        ],
      },
      { role: "tool", content: "Snow", toolCallId: "call_1" },
      { role: "tool", content: "Done", toolCallId: "call_2" },
      { role: "assistant", content: "It snows." },
    ]);
  });

  it("of a local shell and of a patch are calls and outputs like others", () => {
    const input = [
      { type: "local_shell_call", call_id: "call_1", action: { type: "exec", command: ["ls"], env: {} } },
      { type: "local_shell_call_output", id: "call_1", output: '{"output":"a.txt"}' },
    ];
    expect(messages(input)).toEqual([
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "call_1", name: "local_shell", arguments: '{"type":"exec","command":["ls"],"env":{}}' }],
      },
      { role: "tool", content: '{"output":"a.txt"}', toolCallId: "call_1" },
    ]);
  });

  it("give back a thought that the client kept sealed", () => {
    const input = [
      { role: "user", content: "hello" },
      { type: "reasoning", summary: [], encrypted_content: sealThought("Grüße.") },
      { role: "assistant", content: "Hi." },
      { role: "user", content: "again" },
    ];
    expect(messages(input)[1]).toEqual({ role: "assistant", content: "Hi.", reasoning: "Grüße." });
  });

  it("that only OpenAI's servers write are passed over; a late developer message is the user's", () => {
    const input = [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "hello" },
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { role: "developer", content: "Briefer." },
    ];
    expect(messages(input).map(({ role }) => role)).toEqual(["system", "user", "user"]);
  });
});

describe("tools", () => {
  const weather = { type: "function", name: "weather", parameters: { type: "object" } };

  it("are given to the model under names of their own, and found again by them", () => {
    const { book, tools } = read({
      tools: [
        weather,
        { type: "namespace", name: "multi_agent_v1", description: "", tools: [{ ...weather, name: "spawn_agent" }] },
        { type: "custom", name: "patch", format: { type: "grammar", syntax: "lark", definition: "start: LINE" } },
        { type: "local_shell" },
        { type: "web_search" },
      ],
    });
    expect(tools.tools.map(({ name }) => name)).toEqual([
      ...["weather", "multi_agent_v1__spawn_agent", "patch", "local_shell"],
    ]);
    expect(book.dropped).toEqual(["web_search"]);
    expect(book.kindOf("multi_agent_v1__spawn_agent")).toEqual({
      ...{ kind: "function", name: "spawn_agent", namespace: "multi_agent_v1" },
    });
    expect(tools.tools[2]?.description).toContain("start: LINE");
    expect(book.echo[0]).toEqual({ ...weather, strict: false, description: null });
    expect(book.echo).toHaveLength(5);
  });

  it("are chosen as the client says", () => {
    const choose = (tool_choice: unknown) => read({ tools: [weather, { ...weather, name: "now" }], tool_choice }).tools;
    expect(choose("required").choice).toEqual({ kind: "required" });
    expect(choose({ type: "function", name: "now" }).choice).toEqual({ kind: "named", name: "now" });
    const allowed = choose({ type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "now" }] });
    expect(allowed.choice).toEqual({ kind: "required" });
    expect(allowed.tools.map(({ name }) => name)).toEqual(["now"]);
  });

  it("can come in the middle of a conversation", () => {
    const input = [
      { role: "user", content: "hello" },
      { type: "additional_tools", role: "developer", tools: [weather] },
    ];
    expect(read({ input }).tools.tools.map(({ name }) => name)).toEqual(["weather"]);
  });
});

it("takes what steers the answer", () => {
  const body = read({
    ...{ temperature: 0, top_p: null, include: ["message.output_text.logprobs"], reasoning: { effort: "none" } },
    text: { format: { type: "json_schema", name: "a", schema: { type: "object" }, strict: true } },
    unheard_of: 1,
  });
  expect(body.sampling).toEqual({ temperature: 0, topP: 1, topLogprobs: 0 });
  expect(body.format).toEqual({ kind: "json_schema", schema: { type: "object" }, param: "text.format.schema" });
  expect(templateOptions(body.fields)).toEqual({ enable_thinking: false });
  expect(templateOptions(read({ reasoning: { effort: "high" } }).fields)).toMatchObject({ reasoning_effort: "high" });
});

it.each([
  [{ input: undefined }, "input"],
  [{ input: 3 }, "input"],
  [{ max_output_tokens: 0 }, "max_output_tokens"],
  [{ truncation: "auto" }, "truncation"],
  [{ conversation: "conv_1" }, "conversation"],
  [{ prompt: { id: "pmpt_1" } }, "prompt"],
  [{ background: true, stream: true }, "background"],
  [{ background: true, store: false }, "store"],
  [{ tools: [{ type: "function" }] }, "tools.0.name"],
  [{ tool_choice: "required" }, "tool_choice"],
  [{ tool_choice: { type: "function", name: "a" } }, "tool_choice"],
  [{ text: { format: { type: "json_schema", name: "a" } } }, "text.format.schema"],
  [{ metadata: { key: "a".repeat(513) } }, "metadata.key"],
])("refuses %j naming the field", (fields, param) => {
  try {
    read(fields);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    const { status, details } = error as ApiError;
    return expect({ status, param: details.param }).toEqual({ status: 400, param });
  }
  throw new Error("It was not refused.");
});

it.each([
  [[{ role: "user", content: [{ type: "input_image", image_url: "data:" }] }], "input.0.content.0"],
  [[{ role: "robot", content: "a" }], "input.0.role"],
  [[{ type: "function_call", name: "a" }], "input.0.call_id"],
])("refuses the items %j naming the place", (input, param) => {
  expect(() => messages(input)).toThrow(expect.objectContaining({ details: { param } }));
});
