/** Whatever a client sends to the Responses or the Messages API, it is read or refused with a named error; nothing breaks. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { readMessageBody } from "../../electron/http/anthropic/message-body";
import { ApiError } from "../../electron/http/api-error";
import { messagesOf } from "../../electron/http/responses/input-items";
import { readResponseBody, templateOptions } from "../../electron/http/responses/response-body";

const runs = { numRuns: 3_000, seed: 7 };

function isReadOrRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).status).toBe(400);
  }
}

/** A body with some right fields and some of any kind. */
function bodies(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const mixed = Object.entries(fields).map(([name, right]) => [name, fc.oneof(right, right, fc.jsonValue())] as const);
  return fc.record(Object.fromEntries(mixed), { requiredKeys: [] });
}

const text = fc.string({ maxLength: 8 });
const part = fc.record(
  {
    type: fc.constantFrom(
      "text",
      "input_text",
      "output_text",
      "input_image",
      "tool_use",
      "tool_result",
      "thinking",
      "document",
    ),
    ...{ text: fc.oneof(text, fc.jsonValue()), id: text, name: text, tool_use_id: text, input: fc.jsonValue() },
    ...{ content: fc.jsonValue(), source: fc.jsonValue(), thinking: fc.jsonValue() },
  },
  { requiredKeys: ["type"] },
);
const content = fc.oneof(text, fc.array(part, { maxLength: 3 }), fc.jsonValue());
const item = fc.record(
  {
    type: fc.constantFrom(
      "message",
      "reasoning",
      "function_call",
      "function_call_output",
      "local_shell_call",
      "custom_tool_call",
      "x",
    ),
    ...{ role: fc.constantFrom("user", "assistant", "system", "developer", "robot"), content, output: content },
    ...{
      call_id: text,
      name: text,
      arguments: fc.oneof(text, fc.jsonValue()),
      action: fc.jsonValue(),
      summary: content,
    },
    encrypted_content: fc.oneof(text, fc.constant("topas1.!!")),
  },
  { requiredKeys: [] },
);
const tool = fc.record(
  {
    type: fc.constantFrom("function", "custom", "namespace", "local_shell", "web_search"),
    ...{
      name: fc.constantFrom("a", "b", "a b"),
      parameters: fc.jsonValue(),
      format: fc.jsonValue(),
      tools: fc.jsonValue(),
    },
    ...{ input_schema: fc.oneof(fc.constant({}), fc.jsonValue()) },
  },
  { requiredKeys: [] },
);
const choice = fc.oneof(
  fc.constantFrom("auto", "required", "none"),
  fc.record({ type: text, name: text }),
  fc.jsonValue(),
);

it("a body of the Responses API", () => {
  const body = bodies({
    ...{ model: fc.constant("default"), input: fc.oneof(text, fc.array(item, { maxLength: 4 })), instructions: text },
    ...{ tools: fc.array(tool, { maxLength: 3 }), tool_choice: choice, text: fc.record({ format: fc.jsonValue() }) },
    ...{ max_output_tokens: fc.integer(), metadata: fc.dictionary(text, text), reasoning: fc.record({ effort: text }) },
  });
  const check = (sent: object) =>
    isReadOrRefused(() => {
      const read = readResponseBody({ model: "default", input: "hello", ...sent });
      templateOptions(read.fields);
      messagesOf(read.fields.instructions, read.input);
    });
  fc.assert(fc.property(body, check), runs);
});

it("a body of the Messages API", () => {
  const role = fc.constantFrom("user", "assistant", "system");
  const body = bodies({
    ...{
      model: fc.constant("default"),
      max_tokens: fc.integer(),
      system: fc.oneof(text, fc.array(part, { maxLength: 2 })),
    },
    messages: fc.array(fc.record({ role, content }), { maxLength: 4 }),
    ...{ tools: fc.array(tool, { maxLength: 3 }), tool_choice: choice, thinking: fc.record({ type: text }) },
    ...{ output_config: fc.record({ format: fc.jsonValue() }), stop_sequences: fc.array(text) },
  });
  const whole = { model: "default", max_tokens: 9, messages: [{ role: "user", content: "hello" }] };
  fc.assert(
    fc.property(body, (sent) => isReadOrRefused(() => readMessageBody({ ...whole, ...sent }))),
    runs,
  );
});
