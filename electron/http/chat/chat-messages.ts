/**
 * Turns OpenAI's messages into what the chat template is given: four roles, text only.
 *
 *   developer, system at the head      -> system
 *   developer, system further down     -> user, where they stand. Many templates refuse a late system message; folded into
 *                                         the turn behind it, its place in the prompt would change from one turn to the next
 *                                         and the KV cache would be lost from there on.
 *   function                           -> tool
 */
import { z } from "zod";
import type { ChatMessage } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { absent } from "../zod-absent";

const partSchema = z.looseObject({ type: z.string() });

const toolCallSchema = z.looseObject({
  id: absent(z.string()),
  function: absent(z.looseObject({ name: z.string(), arguments: absent(z.string()) })),
});

export const messageSchema = z.object({
  role: z.enum(["developer", "system", "user", "assistant", "tool", "function"]),
  content: absent(z.union([z.string(), z.array(partSchema)])),
  name: absent(z.string()),
  tool_calls: absent(z.array(toolCallSchema)),
  tool_call_id: absent(z.string()),
  reasoning_content: absent(z.string()),
  /** The same under the name that other servers and their clients have for it. */
  reasoning: z.unknown().optional(),
});

type Message = z.output<typeof messageSchema>;

export function chatMessages(messages: readonly Message[]): ChatMessage[] {
  const head = messages.findIndex((message) => !isSystem(message));
  const headEnd = head === -1 ? messages.length : head;
  return messages.map((message, index) => ({
    role: roleAt(message, index < headEnd),
    content: text(message, index),
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(message.role === "assistant" ? spoken(message) : {}),
    ...(message.role === "tool" && message.tool_call_id !== undefined ? { toolCallId: message.tool_call_id } : {}),
  }));
}

function isSystem({ role }: Message): boolean {
  return role === "system" || role === "developer";
}

function roleAt({ role }: Message, atHead: boolean): ChatMessage["role"] {
  switch (role) {
    case "developer":
    case "system":
      return atHead ? "system" : "user";
    case "function":
      return "tool";
    case "user":
    case "assistant":
    case "tool":
      return role;
    default:
      return role satisfies never;
  }
}

/** What only an assistant's message has. */
function spoken({
  tool_calls,
  reasoning_content,
  reasoning: other,
}: Message): Pick<ChatMessage, "toolCalls" | "reasoning"> {
  const toolCalls = (tool_calls ?? []).flatMap(({ id, function: call }, index) =>
    call ? [{ id: id ?? `call_${index}`, name: call.name, arguments: call.arguments || "{}" }] : [],
  );
  const reasoning = reasoning_content ?? (typeof other === "string" ? other : undefined);
  return {
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function text({ content }: Message, index: number): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part, at) => partText(part, `messages.${index}.content.${at}`)).join("\n");
}

function partText(part: z.output<typeof partSchema>, param: string): string {
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return stringOf(part.text, `${param}.text`);
    case "refusal":
      return stringOf(part.refusal, `${param}.refusal`);
    default:
      throw new ApiError("unsupported_parameter", `Only text can be read, not a part of type '${part.type}'.`, {
        param,
      });
  }
}

function stringOf(value: unknown, param: string): string {
  if (typeof value === "string") return value;
  throw new ApiError("invalid_value", `Wrong value for '${param}': expected string.`, { param });
}
