/**
 * Turns Anthropic's messages with their content blocks into what the chat template is given.
 *
 *   system, as text or blocks          -> one system message, without Claude Code's billing line
 *   system message further down        -> user, where it stands: many templates refuse a late system message
 *   tool_use, thinking of an assistant -> the calls and the thoughts of its message
 *   tool_result                        -> a tool message of its own, before the user's own words
 *   turns of one role in a row         -> one turn, as Anthropic's API defines it
 */
import { z } from "zod";
import type { ChatMessage, ToolCall } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { absent } from "../zod-absent";
import { withoutBillingLine } from "./billing-line";
import { joined, readableText } from "./readable-text";

const blockSchema = z.looseObject({ type: z.string() });
export type Block = z.output<typeof blockSchema>;

export const systemSchema = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.literal("text"), text: z.string() })),
]);

export const messageSchema = z.object({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(blockSchema)]),
});

const toolUseSchema = z.looseObject({ id: z.string(), name: z.string(), input: absent(z.unknown()) });
const toolResultSchema = z.looseObject({
  tool_use_id: z.string(),
  content: absent(z.union([z.string(), z.array(blockSchema)])),
  is_error: absent(z.boolean()),
});

type Message = z.output<typeof messageSchema>;

export function messagesOf(
  system: z.output<typeof systemSchema> | undefined,
  messages: readonly Message[],
): ChatMessage[] {
  if (messages.at(-1)?.role === "assistant") {
    const message = "A prefilled answer cannot be continued. The conversation must end with a user message.";
    throw new ApiError("unsupported_parameter", message, { param: `messages.${messages.length - 1}` });
  }
  const said = messages.flatMap((message, index) => turnsOf(message, `messages.${index}.content`));
  return [...systemMessage(system), ...said.reduce<ChatMessage[]>(mergeTurn, [])];
}

function systemMessage(system: z.output<typeof systemSchema> | undefined): ChatMessage[] {
  const blocks = typeof system === "string" ? [system] : (system ?? []).map(({ text }) => text);
  const content = joined(withoutBillingLine(blocks));
  return content === "" ? [] : [{ role: "system", content }];
}

function turnsOf({ role, content }: Message, param: string): ChatMessage[] {
  const blocks: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return role === "assistant" ? [assistantTurn(blocks, param)] : userTurns(blocks, param);
}

function userTurns(blocks: readonly Block[], param: string): ChatMessage[] {
  const results = blocks.flatMap((block, at) =>
    block.type === "tool_result" ? [toolTurn(block, `${param}.${at}`)] : [],
  );
  const words = blocks.flatMap((block, at) =>
    block.type === "tool_result" ? [] : [readableText(block, `${param}.${at}`)],
  );
  const content = joined(words);
  return content === "" && results.length > 0 ? results : [...results, { role: "user", content }];
}

function toolTurn(block: Block, param: string): ChatMessage {
  const { tool_use_id, content, is_error } = read(toolResultSchema, block, param);
  const text =
    typeof content === "string"
      ? content
      : joined((content ?? []).map((part, at) => resultText(part, `${param}.content.${at}`)));
  // A template has no field for it, and a tool's own words do not always tell.
  return { role: "tool", content: is_error ? `Error: ${text}` : text, toolCallId: tool_use_id };
}

/** A picture that a tool found must not end the conversation it came up in; the model is told that it was there. */
function resultText(block: Block, param: string): string {
  return block.type === "image" ? "[A picture, which this model cannot see.]" : readableText(block, param);
}

function assistantTurn(blocks: readonly Block[], param: string): ChatMessage {
  const words: string[] = [];
  const thoughts: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.type === "tool_use") toolCalls.push(toolCall(block, `${param}.${at}`));
    else if (block.type === "thinking") thoughts.push(typeof block.thinking === "string" ? block.thinking : "");
    else words.push(readableText(block, `${param}.${at}`));
  }
  return {
    role: "assistant",
    content: joined(words),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(joined(thoughts) === "" ? {} : { reasoning: joined(thoughts) }),
  };
}

function toolCall(block: Block, param: string): ToolCall {
  const { id, name, input } = read(toolUseSchema, block, param);
  return { id, name, arguments: JSON.stringify(input ?? {}) };
}

function mergeTurn(merged: ChatMessage[], turn: ChatMessage): ChatMessage[] {
  const last = merged.at(-1);
  if (last === undefined || last.role !== turn.role || turn.role === "tool") return [...merged, turn];
  const toolCalls = [...(last.toolCalls ?? []), ...(turn.toolCalls ?? [])];
  const reasoning = joined([last.reasoning ?? "", turn.reasoning ?? ""]);
  merged[merged.length - 1] = {
    role: turn.role,
    content: joined([last.content, turn.content]),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(reasoning === "" ? {} : { reasoning }),
  };
  return merged;
}

function read<Schema extends z.ZodType>(schema: Schema, block: Block, param: string): z.output<Schema> {
  const result = schema.safeParse(block);
  if (result.success) return result.data;
  const path = [param, ...(result.error.issues[0]?.path ?? [])].join(".");
  const message = `Wrong value for '${path}' of a block of type '${block.type}'.`;
  throw new ApiError("invalid_value", message, { param: path });
}
