/**
 * Turns the items of the Responses API into what the chat template is given. Thoughts, words and calls of the assistant that
 * follow one another are one message, as the template once made them; each output of a tool is a message of its own.
 * Traces of tools that OpenAI's servers ran are passed over: the assistant said afterwards what it made of them.
 */
import { z } from "zod";
import type { ChatMessage, ToolCall } from "../../../core/contract/engine";
import { ApiError } from "../api-error";
import { absent } from "../zod-absent";
import { clientToolOfCall, isClientToolOutput } from "./client-tools";
import { contentText } from "./content-text";
import { thoughtOf } from "./sealed-thought";
import { modelName } from "./tool-book";

export const itemSchema = z.looseObject({ type: absent(z.string()), role: absent(z.string()) });

/** As the client sent it, or as a response gave it out. */
export interface InputItem {
  readonly type?: string | undefined;
  readonly role?: string | undefined;
  readonly [member: string]: unknown;
}

const callSchema = z.looseObject({
  call_id: z.string(),
  name: z.string(),
  namespace: absent(z.string()),
  arguments: absent(z.string()),
  input: absent(z.string()),
});
const outputSchema = z.looseObject({ call_id: absent(z.string()), id: absent(z.string()), output: z.unknown() });

const roles = { system: "system", developer: "system", user: "user", assistant: "assistant" } as const;

export function messagesOf(instructions: string | undefined, items: readonly InputItem[]): ChatMessage[] {
  const conversation = new Conversation();
  if (instructions) conversation.add({ role: "system", content: instructions });
  for (const [index, item] of items.entries()) conversation.take(item, `input.${index}`);
  return conversation.messages;
}

class Conversation {
  readonly messages: ChatMessage[] = [];

  take(item: InputItem, param: string): void {
    switch (item.type ?? "message") {
      case "message":
        return this.#message(item, param);
      case "reasoning":
        return this.#assistant({ reasoning: thoughtOf(item) });
      case "function_call":
      case "custom_tool_call":
        return this.#assistant({ toolCalls: [toolCall(item, param)] });
      case "function_call_output":
      case "custom_tool_call_output":
        return this.#output(item, param);
      default:
        return this.#other(item, param);
    }
  }

  add(message: ChatMessage): void {
    this.messages.push(message);
  }

  #message(item: InputItem, param: string): void {
    const role = Object.hasOwn(roles, item.role ?? "") ? roles[item.role as keyof typeof roles] : undefined;
    if (role === undefined) {
      const message = `Wrong value for '${param}.role': expected user, assistant, system or developer.`;
      throw new ApiError("invalid_value", message, { param: `${param}.role` });
    }
    const content = contentText(item.content, `${param}.content`);
    if (role === "assistant") return this.#assistant({ content });
    // Many templates refuse a late system message; as the user's it stays where it stands.
    const atHead = this.messages.every((message) => message.role === "system");
    this.add({ role: role === "system" && !atHead ? "user" : role, content });
  }

  #other(item: InputItem, param: string): void {
    const type = item.type ?? "";
    if (isClientToolOutput(type)) return this.#output(item, param);
    const own = clientToolOfCall(type);
    if (own === null) return;
    const id = String(item.call_id ?? item.id ?? "");
    const call = { id, name: own.name, arguments: JSON.stringify(item[own.tool.member] ?? {}) };
    this.#assistant({ toolCalls: [call] });
  }

  #output(item: InputItem, param: string): void {
    const { call_id, id, output } = read(outputSchema, item, param);
    this.add({ role: "tool", content: outputText(output, `${param}.output`), toolCallId: call_id ?? id ?? "" });
  }

  /** Joins the message before it, unless that one has spoken already where this one would think again. */
  #assistant({ content = "", reasoning = "", toolCalls = [] }: Partial<ChatMessage>): void {
    const last = this.messages.at(-1);
    const joins = last?.role === "assistant" && !(reasoning !== "" && (last.content !== "" || last.toolCalls));
    const before = joins ? last : { content: "", reasoning: "", toolCalls: [] };
    const all = {
      content: [before.content, content].filter((text) => text !== "").join("\n\n"),
      reasoning: [before.reasoning ?? "", reasoning].filter((text) => text !== "").join("\n\n"),
      toolCalls: [...(before.toolCalls ?? []), ...toolCalls],
    };
    if (joins) this.messages.pop();
    this.add({
      role: "assistant",
      content: all.content,
      ...(all.reasoning === "" ? {} : { reasoning: all.reasoning }),
      ...(all.toolCalls.length === 0 ? {} : { toolCalls: all.toolCalls }),
    });
  }
}

function toolCall(item: InputItem, param: string): ToolCall {
  const { call_id, name, namespace, arguments: given, input } = read(callSchema, item, param);
  const args = item.type === "custom_tool_call" ? JSON.stringify({ input: input ?? "" }) : given || "{}";
  return { id: call_id, name: modelName(name, namespace), arguments: args };
}

function outputText(output: unknown, param: string): string {
  if (Array.isArray(output) && output.every((part) => typeof part === "object" && part !== null && "stdout" in part)) {
    return JSON.stringify(output); // A shell's: streams and outcomes of each command.
  }
  return contentText(output ?? "", param, true);
}

function read<Schema extends z.ZodType>(schema: Schema, item: InputItem, param: string): z.output<Schema> {
  const result = schema.safeParse(item);
  if (result.success) return result.data;
  const path = [param, ...(result.error.issues[0]?.path ?? [])].join(".");
  throw new ApiError("invalid_value", `Wrong value for '${path}' of an item of type '${item.type}'.`, { param: path });
}
