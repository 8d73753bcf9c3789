/** Messages and tools in the words of the models' templates, which are those of OpenAI's API with a few differences. */
import type { ChatMessage, ToolCall, ToolDescription } from "../../core/contract/engine";

/** What a template wants to be given in its own way; found out by rendering (chat-abilities.ts). */
export interface TemplateHabits {
  /** Arguments of earlier calls as JSON text; else as the object itself. */
  readonly argumentsAsText: boolean;
  /** Ids of calls have nine letters and digits, or it raises (Mistral's). */
  readonly shortIds: boolean;
}

export const USUAL_HABITS: TemplateHabits = { argumentsAsText: false, shortIds: false };

const SHORT_ID_LENGTH = 9;
const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Absent parts are left out: templates ask whether a message has them. */
export function templateMessage(message: ChatMessage, habits: TemplateHabits): Record<string, unknown> {
  const { role, content, name, toolCalls, toolCallId, reasoning } = message;
  return {
    role,
    content,
    ...(name !== undefined && { name }),
    ...(toolCalls && toolCalls.length > 0 && { tool_calls: toolCalls.map((call) => templateCall(call, habits)) }),
    ...(toolCallId !== undefined && { tool_call_id: templateId(toolCallId, habits) }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  };
}

export function templateTool({ name, description, parameters }: ToolDescription): Record<string, unknown> {
  return { type: "function", function: { name, ...(description !== undefined && { description }), parameters } };
}

function templateCall({ id, name, arguments: text }: ToolCall, habits: TemplateHabits): Record<string, unknown> {
  const callArguments = habits.argumentsAsText ? text : objectOr(text);
  return { id: templateId(id, habits), type: "function", function: { name, arguments: callArguments } };
}

/** What a model wrote need not be JSON; then the template gets it as it is. */
function objectOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** The same short id for the same id, so that a call and its answer still belong together. */
function templateId(id: string, { shortIds }: TemplateHabits): string {
  if (!shortIds || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  let hash = 0x811c9dc5n;
  for (const byte of new TextEncoder().encode(id)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  let short = "";
  for (; short.length < SHORT_ID_LENGTH; hash /= BigInt(LETTERS.length)) {
    short += LETTERS[Number(hash % BigInt(LETTERS.length))];
  }
  return short;
}
