/**
 * Tools for a model whose template knows none: described in the system prompt, calls between `<tool_call>` marks, results
 * as turns of the user. The text depends on the tools alone, so that all requests of an agent begin alike.
 */
import type { ChatMessage, ToolDescription } from "../../../core/contract/engine";

export function withToolPrompt(messages: readonly ChatMessage[], tools: readonly ToolDescription[]): ChatMessage[] {
  if (tools.length === 0) return [...messages];
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: toolPrompt(tools) }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${toolPrompt(tools)}` }, ...rest];
}

function toolPrompt(tools: readonly ToolDescription[]): string {
  const lines = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, ...(description !== undefined && { description }), parameters }),
  );
  return [
    "You can call functions. They are, one a line, with a JSON schema of their arguments:",
    ...["<tools>", ...lines, "</tools>"],
    "To call a function answer with nothing but its name and its arguments as JSON between these marks, once for each call:",
    '<tool_call>\n{"name": "the function\'s name", "arguments": {"an argument": "its value"}}\n</tool_call>',
    "Its result comes between <tool_response> and </tool_response>. If no function is needed, answer as usual.",
  ].join("\n");
}

/** Earlier calls and their results as such a model is to see them. */
export function withToolsAsText(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map(({ toolCalls = [], toolCallId: _, reasoning: __, ...message }) => {
    if (message.role === "tool") {
      return { ...message, role: "user", content: `<tool_response>\n${message.content}\n</tool_response>` };
    }
    if (toolCalls.length === 0) return message;
    const calls = toolCalls.map(callText);
    return { ...message, content: [...(message.content === "" ? [] : [message.content]), ...calls].join("\n") };
  });
}

function callText(call: { readonly name: string; readonly arguments: string }): string {
  return `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments || "{}"}}\n</tool_call>`;
}
