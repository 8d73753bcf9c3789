/** What is found out of templates, in the words of well-known families, shortened. */
import { expect, test } from "vitest";
import type { ToolFormat } from "../../core/contract/engine";
import { examineTemplate } from "../../native-models/engine/chat-abilities";
import { createChatTemplate } from "../../native-models/engine/chat-template";

const examine = (template?: string) => examineTemplate(createChatTemplate(template, { bos: "<s>", eos: "</s>" }));

/** Tools first, then the messages, calls written as told. */
const withCalls = (call: string) => `
{%- if tools %}{{ tools | tojson }}{% endif %}
{%- for message in messages %}
{%- if message.tool_calls %}{% for tool_call in message.tool_calls %}{% set fn = tool_call.function %}${call}{% endfor %}
{%- else %}{{ message.role }}: {{ message.content }}{% endif %}
{%- endfor %}`;

const formats: readonly (readonly [ToolFormat, string])[] = [
  ["hermes", '<tool_call>\n{"name": "{{ fn.name }}", "arguments": {{ fn.arguments | tojson }}}\n</tool_call>'],
  ["llama3", '{"name": "{{ fn.name }}", "parameters": {{ fn.arguments | tojson }}}'],
  ["mistral", '[TOOL_CALLS][{"name": "{{ fn.name }}", "arguments": {{ fn.arguments | tojson }}}]'],
  ["functionary", "<function={{ fn.name }}>{{ fn.arguments | tojson }}</function>"],
  [
    "qwen-coder",
    "<tool_call><function={{ fn.name }}>{% for key, value in fn.arguments.items() %}<parameter={{ key }}>{{ value }}</parameter>{% endfor %}",
  ],
  ["deepseek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{{ fn.name }}<｜tool▁sep｜>{{ fn.arguments | tojson }}"],
  ["command-r", '<|START_ACTION|>[{"tool_name": "{{ fn.name }}", "parameters": {{ fn.arguments | tojson }}}]'],
  ["list", '<|tool_call|>[{"name": "{{ fn.name }}", "arguments": {{ fn.arguments | tojson }}}]'],
  ["generic", "CALL {{ fn.name }} WITH {{ fn.arguments | tojson }}"],
];

test.each(formats)("a template that writes calls as %s is known to", (format, call) => {
  const { abilities, habits } = examine(withCalls(call));
  expect(abilities).toEqual({ templateKnowsTools: true, toolFormat: format, templateKnowsThinking: false });
  expect(habits).toEqual({ argumentsAsText: false, shortIds: false });
});

test("a template that only raises about tools knows none, and neither does plain ChatML", () => {
  const raising = "{% if tools %}{{ raise_exception('no tools') }}{% endif %}{{ messages[0].content }}";
  const nothing = { templateKnowsTools: false, toolFormat: "generic", templateKnowsThinking: false };
  expect(examine(raising).abilities).toEqual(nothing);
  expect(examine().abilities).toEqual(nothing);
});

test("a template that puts arguments in as text is given text, one that wants short ids short ones", () => {
  expect(examine(withCalls("{{ fn.arguments.strip() }}")).habits.argumentsAsText).toBe(true);
  const shortIds = withCalls(
    "{% if tool_call.id | length != 9 %}{{ raise_exception('nine') }}{% endif %}{{ fn.arguments | tojson }}",
  );
  const { habits } = examine(shortIds);
  expect(habits.shortIds).toBe(true);
  const call = { id: "call_abcdefghij", name: "look", arguments: "{}" };
  const render = createChatTemplate(shortIds, { bos: "", eos: "" });
  expect(() => render({ messages: [{ role: "assistant", content: "", toolCalls: [call] }] }, habits)).not.toThrow();
});

test.each([
  ["a switch", "{% if enable_thinking is defined and not enable_thinking %}<think></think>{% endif %}"],
  ["an opened thought", "{% if add_generation_prompt %}<think>\n{% endif %}"],
  ["thoughts of before", "{% for m in messages %}{{ m.reasoning_content }}{{ m.content }}{% endfor %}"],
])("a template with %s knows of thinking", (_, template) => {
  expect(examine(template).abilities.templateKnowsThinking).toBe(true);
});
