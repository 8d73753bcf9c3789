/**
 * Keeps what people and tools wrote from being read as the template's own marks: a message with "<|im_end|>" in it must
 * not end its turn. The content of such a message is rendered as a placeholder and tokenised apart, without special tokens.
 * Elsewhere (tools, calls, names) the template may write a text in its own way, as JSON for example; there a mark is
 * only broken in two, by a placeholder for nothing.
 */
import type { ToolCall } from "../../core/contract/engine";
import type { Conversation } from "./chat-template";

export interface Shielded {
  readonly conversation: Conversation;
  /** By the number in their placeholder. */
  readonly texts: readonly string[];
}

/** From a plane of Unicode that is for private use: no tokenizer has them as special tokens, and hardly a text has them. */
const OPEN = "\u{F0000}";
const CLOSE = "\u{F0001}";
const PLACEHOLDER = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "u");

/** Nearly all special tokens begin with one of these; a mark that is broken behind it is none. */
const MARK_BEGINS = /[<[]/g;

/** `isRisky` says whether a text holds anything that the tokenizer would take for a special token. */
export function shieldTexts(conversation: Conversation, isRisky: (text: string) => boolean): Shielded {
  const texts: string[] = [];
  const placeholder = (text: string) => `${OPEN}${texts.push(text) - 1}${CLOSE}`;
  const isUnsafe = (text: string) => text.includes(OPEN) || isRisky(text);
  const whole = (text: string) => (isUnsafe(text) ? placeholder(text) : text);
  const broken = (text: string) =>
    isUnsafe(text) ? text.replaceAll(OPEN, "").replace(MARK_BEGINS, (begin) => begin + placeholder("")) : text;
  const brokenCall = ({ id, name, arguments: json }: ToolCall): ToolCall => {
    return { id: broken(id), name: broken(name), arguments: mapJson(json, broken) };
  };
  const { messages, tools, templateOptions } = conversation;
  const shielded = {
    messages: messages.map(({ role, content, reasoning, toolCalls, ...names }) => ({
      ...{ role, content: whole(content), ...mapTexts(names, broken) },
      ...(toolCalls && { toolCalls: toolCalls.map(brokenCall) }),
      ...(reasoning !== undefined && { reasoning: whole(reasoning) }),
    })),
    ...(tools && { tools: mapTexts(tools, broken) }),
    ...(templateOptions && { templateOptions: mapTexts(templateOptions, broken) }),
  };
  return { conversation: texts.length === 0 ? conversation : shielded, texts };
}

/** Changes the texts inside; its own brackets are no marks. */
function mapJson(json: string, change: (text: string) => string): string {
  try {
    const value: unknown = JSON.parse(json);
    const [before, after] = [JSON.stringify(value), JSON.stringify(mapped(value, change))];
    return before === after ? json : after;
  } catch {
    return change(json);
  }
}

/** The same value with all texts in it changed, keys of objects included. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), mapped(each, change)]));
}

export type PromptPart = { readonly kind: "template" | "text"; readonly text: string };

/** The rendered prompt in order: the template's own parts, and the texts that stand for the placeholders. */
export function unshield(rendered: string, texts: readonly string[]): PromptPart[] {
  if (texts.length === 0) return [{ kind: "template", text: rendered }];
  return rendered
    .split(PLACEHOLDER)
    .map((piece, index): PromptPart => {
      // Every second piece is the number that the expression caught.
      return index % 2 === 0 ? { kind: "template", text: piece } : { kind: "text", text: texts[Number(piece)] ?? "" };
    })
    .filter(({ text }) => text !== "");
}
