/** Calls of tools in answers: every family's way of writing them, in one piece, letter by letter, and cut anywhere. */
import { describe, expect, it } from "vitest";
import type { ToolFormat } from "../../core/contract/engine";
import type { CallPart } from "../../electron/http/tools/call-parts";
import { CallReader } from "../../electron/http/tools/call-reader";
import { callSyntaxFor } from "../../electron/http/tools/call-syntax";

const tools = [
  {
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
  },
  { name: "now", parameters: {} },
];

interface Answer {
  readonly text: string;
  readonly calls: readonly (readonly [string, unknown])[];
}

function answerOf(parts: readonly CallPart[]): Answer {
  let text = "";
  const calls: [string, string][] = [];
  for (const part of parts) {
    if (part.kind === "text") text += part.text;
    else if (part.kind === "start") calls.push([part.name, ""]);
    else (calls.at(-1) ?? ["", ""])[1] += part.delta;
  }
  return { text, calls: calls.map(([name, args]) => [name, JSON.parse(args)]) };
}

function read(format: ToolFormat, pieces: readonly string[], isForced = false): CallPart[] {
  const reader = new CallReader(callSyntaxFor(format, isForced, tools));
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

const bern = ["weather", { city: "Bern" }] as const;
const twoDays = ["weather", { city: "Bern", days: 2 }] as const;
const call = '{"name": "weather", "arguments": {"city": "Bern"}}';

const answers: readonly (readonly [string, ToolFormat, string, Answer])[] = [
  ["plain text", "hermes", "It is <b>warm</b> [1].", { text: "It is <b>warm</b> [1].", calls: [] }],
  ["one call", "hermes", `<tool_call>\n${call}\n</tool_call>`, { text: "", calls: [bern] }],
  [
    "words and two calls",
    "hermes",
    `Let me look.\n<tool_call>${call}</tool_call>\n<tool_call>\n{"name":"now","arguments":{}}\n</tool_call>\n`,
    { text: "Let me look.", calls: [bern, ["now", {}]] },
  ],
  ["words behind a call", "hermes", `<tool_call>${call}</tool_call>\nDone [1].`, { text: "Done [1].", calls: [bern] }],
  [
    "arguments first, as text",
    "hermes",
    '<tool_call>{"arguments": "{\\"city\\": \\"Bern\\"}", "name": "weather"}</tool_call>',
    { text: "", calls: [bern] },
  ],
  [
    "an id behind the arguments",
    "hermes",
    `<tool_call>${call.slice(0, -1)}, "id": "c1"}</tool_call>`,
    { text: "", calls: [bern] },
  ],
  [
    "braces and quotes inside",
    "hermes",
    '<tool_call>{"name": "weather", "arguments": {"city": "a\\"}{]<tool_call>"}}</tool_call>',
    { text: "", calls: [["weather", { city: 'a"}{]<tool_call>' }]] },
  ],
  [
    "marks around no call",
    "hermes",
    'See <tool_call>{"city": "Bern"}</tool_call>!',
    { text: 'See<tool_call>{"city": "Bern"}</tool_call>!', calls: [] },
  ],
  ["a bare call where marks are needed", "hermes", call, { text: call, calls: [] }],
  ["a bare call", "generic", call, { text: "", calls: [bern] }],
  ["a bare object that is no call", "generic", '{"answer": 5}', { text: '{"answer": 5}', calls: [] }],
  [
    "a bare object with a name that is no tool's",
    "generic",
    '{"name": "Ann", "arguments": {"a": 1}} is it',
    { text: '{"name": "Ann", "arguments": {"a": 1}} is it', calls: [] },
  ],
  ["text behind a bare call", "generic", `${call}\n[see] this`, { text: "[see] this", calls: [bern] }],
  [
    "Llama's calls in a row",
    "llama3",
    '{"name": "weather", "parameters": {"city": "Bern"}}; {"name": "now", "parameters": {}}',
    { text: "", calls: [bern, ["now", {}]] },
  ],
  ["Llama's mark", "llama3", `<|python_tag|>${call}<|eom_id|>`, { text: "", calls: [bern] }],
  [
    "Mistral's list",
    "mistral",
    `[TOOL_CALLS] [${call}, {"name": "now", "arguments": {}}]`,
    { text: "", calls: [bern, ["now", {}]] },
  ],
  ["Mistral's list without its mark", "mistral", `[${call}]`, { text: "", calls: [bern] }],
  [
    "Mistral's names",
    "mistral",
    '[TOOL_CALLS]weather[ARGS]{"city": "Bern"}[TOOL_CALLS]now[ARGS]{}',
    { text: "", calls: [bern, ["now", {}]] },
  ],
  ["Mistral's names without marks", "mistral", 'weather{"city": "Bern"}', { text: "", calls: [bern] }],
  ["a word like a tool's name", "mistral", "weathering the storm", { text: "weathering the storm", calls: [] }],
  [
    "Functionary's calls",
    "functionary",
    '<function=weather>{"city": "Bern"}</function>\n<function=now></function>',
    { text: "", calls: [bern, ["now", {}]] },
  ],
  [
    "Functionary's names on lines",
    "functionary",
    'weather\n{"city": "Bern"}\n>>>now\n{}',
    { text: "", calls: [bern, ["now", {}]] },
  ],
  [
    "Functionary's text under all",
    "functionary",
    'all\nI look.\n>>>weather\n{"city": "Bern"}',
    { text: "I look.", calls: [bern] },
  ],
  ["Functionary's text that begins like a name", "functionary", "all of it >>", { text: "all of it >>", calls: [] }],
  [
    "Qwen Coder's parameters",
    "qwen-coder",
    "I look.\n<tool_call>\n<function=weather>\n<parameter=city>\nBern\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
    { text: "I look.", calls: [twoDays] },
  ],
  [
    "Qwen Coder's text that looks like a number, and no parameters",
    "qwen-coder",
    "<tool_call><function=weather><parameter=city>\n12\n</parameter></function></tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>",
    {
      text: "",
      calls: [
        ["weather", { city: "12" }],
        ["now", {}],
      ],
    },
  ],
  [
    "DeepSeek's fences",
    "deepseek",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{"city": "Bern"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { text: "", calls: [bern, ["now", {}]] },
  ],
  [
    "DeepSeek's names",
    "deepseek",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Bern"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { text: "", calls: [bern] },
  ],
  ["Command R's list", "command-r", `<|START_ACTION|>[${call}]<|END_ACTION|>`, { text: "", calls: [bern] }],
  ["a list of functools", "list", `functools[${call}]`, { text: "", calls: [bern] }],
];

describe("an answer", () => {
  it.each(answers)(
    "with %s (%s) is read in one piece, letter by letter and cut anywhere",
    (_what, format, text, expected) => {
      const letters = [...text];
      expect(answerOf(read(format, [text]))).toEqual(expected);
      expect(answerOf(read(format, letters))).toEqual(expected);
      for (let at = 1; at < text.length; at += 1) {
        expect(answerOf(read(format, [text.slice(0, at), text.slice(at)])), `cut at ${at}`).toEqual(expected);
      }
    },
  );

  it("hands arguments on while they are written", () => {
    const reader = new CallReader(callSyntaxFor("hermes", false, tools));
    expect(reader.push('<tool_call>{"name": "weather", "arguments": {"ci')).toEqual([
      { kind: "start", name: "weather" },
      { kind: "arguments", delta: '{"ci' },
    ]);
    expect(reader.push('ty": "Be')).toEqual([{ kind: "arguments", delta: 'ty": "Be' }]);
  });

  it("that a forced call is, is read with marks and without, whatever the family", () => {
    for (const format of ["hermes", "llama3", "deepseek", "qwen-coder"] as const) {
      expect(answerOf(read(format, [`<tool_call>\n${call}\n</tool_call>`], true))).toEqual({ text: "", calls: [bern] });
      expect(answerOf(read(format, [call, "\n", call], true)).calls).toEqual([bern, bern]);
    }
  });

  it("that ends within a call shows no mark", () => {
    const whole = `Words <tool_call>\n${call}`;
    for (let at = 1; at < whole.length; at += 1) {
      const shown = read("hermes", [...whole.slice(0, at)]).map((part) => (part.kind === "text" ? part.text : ""));
      if (at >= "Words <tool_call>".length) expect(shown.join("")).not.toContain("<tool_call>");
    }
  });
});
