/**
 * Finds out what a chat template can do by rendering small conversations with it and looking for what was put in. Its text
 * alone would mislead: many templates name tools only to raise an error.
 */
import type { ChatAbilities, ChatMessage, ToolDescription, ToolFormat } from "../../core/contract/engine";
import type { ChatTemplate, Conversation } from "./chat-template";
import { type TemplateHabits, USUAL_HABITS } from "./template-messages";

export interface TemplateFindings {
  readonly abilities: ChatAbilities;
  readonly habits: TemplateHabits;
}

/** Three words that no template has, for the places where they are looked for. */
const [DESCRIPTION, ARGUMENT, REASONING] = ["needle_of_tools", "needle_of_calls", "needle_of_thoughts"];
const LONG_ID = "call_0123456789";
const SHORT_ID = "call01234";
const TOOL: ToolDescription = {
  name: "probe_tool",
  description: DESCRIPTION,
  parameters: { type: "object", properties: { place: { type: "string", description: "Where" } }, required: ["place"] },
};
const ARGUMENTS = JSON.stringify({ place: ARGUMENT });
const USER: ChatMessage = { role: "user", content: "Hello" };
const THOUGHT: ChatMessage = { role: "assistant", content: "Yes", reasoning: REASONING };

export function examineTemplate(render: ChatTemplate): TemplateFindings {
  const withTools = attempt(render, { messages: [USER], tools: [TOOL] }) ?? "";
  const habits = {
    argumentsAsText: !showsArgument(render, USUAL_HABITS) && showsArgument(render, AS_TEXT),
    shortIds: attempt(render, called(LONG_ID)) === null && attempt(render, called(SHORT_ID)) !== null,
  };
  return {
    abilities: {
      templateKnowsTools: withTools.includes(DESCRIPTION),
      toolFormat: toolFormat(callText(render, habits)),
      templateKnowsThinking: knowsThinking(render),
    },
    habits,
  };
}

const AS_TEXT: TemplateHabits = { ...USUAL_HABITS, argumentsAsText: true };

/** A tool was called and has answered. */
function called(id: string): Conversation {
  const call: ChatMessage = {
    role: "assistant",
    content: "",
    toolCalls: [{ id, name: TOOL.name, arguments: ARGUMENTS }],
  };
  return {
    messages: [USER, call, { role: "tool", content: "Fine", toolCallId: id, name: TOOL.name }],
    tools: [TOOL],
  };
}

function showsArgument(render: ChatTemplate, habits: TemplateHabits): boolean {
  return (attempt(render, called(SHORT_ID), habits) ?? "").includes(ARGUMENT);
}

/** The template's words around a call. */
function callText(render: ChatTemplate, habits: TemplateHabits): string {
  const text = attempt(render, called(SHORT_ID), habits) ?? "";
  const at = text.lastIndexOf(ARGUMENT);
  return at < 0 ? "" : text.slice(Math.max(0, text.lastIndexOf(TOOL.name, at) - MARKS_LENGTH), at + MARKS_LENGTH);
}

/** Characters before the name of a called tool in which its marks stand. */
const MARKS_LENGTH = 80;

/** The first that fits counts: some hold another's marks in theirs. */
const FORMATS: readonly (readonly [ToolFormat, RegExp])[] = [
  ["deepseek", /<｜tool▁call/],
  ["command-r", /<\|START_ACTION\|>/],
  ["mistral", /\[TOOL_CALLS\]/],
  ["qwen-coder", /<function=probe_tool>\s*<parameter=place>/],
  ["functionary", /<function=probe_tool>\s*\{|>>>probe_tool/],
  ["list", /<\|tool_call\|>\s*\[|functools\[/],
  ["hermes", /<tool_call>\s*\{/],
  ["llama3", /<\|python_tag\|>|\{"name": ?"probe_tool", ?"parameters": ?\{/],
];

function toolFormat(text: string): ToolFormat {
  return FORMATS.find(([, marks]) => marks.test(text))?.[0] ?? "generic";
}

function knowsThinking(render: ChatTemplate): boolean {
  const [on, off] = [true, false].map((enable_thinking) =>
    attempt(render, { messages: [USER], templateOptions: { enable_thinking, thinking: enable_thinking } }),
  );
  const opensThought = /<think>\s*$/.test(on ?? "");
  const showsThought = (attempt(render, { messages: [USER, THOUGHT] }) ?? "").includes(REASONING);
  return on !== off || opensThought || showsThought;
}

/** Null when the template raises. */
function attempt(render: ChatTemplate, conversation: Conversation, habits?: TemplateHabits): string | null {
  try {
    return render(conversation, habits);
  } catch {
    return null;
  }
}
