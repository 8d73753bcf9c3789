/**
 * Keeps what people and tools wrote from being read as the template's own marks: a message with "<|im_end|>" in it must
 * not end its turn. Such texts are rendered as a placeholder and tokenised apart, without special tokens.
 */
import type { ChatMessage } from "../../core/contract/engine";

export interface Shielded {
  readonly messages: readonly ChatMessage[];
  /** By the number in their placeholder. */
  readonly texts: readonly string[];
}

/** From a plane of Unicode that is for private use: no tokenizer has them as special tokens, and hardly a text has them. */
const OPEN = "\u{F0000}";
const CLOSE = "\u{F0001}";
const PLACEHOLDER = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "u");

/** `isRisky` says whether a text holds anything that the tokenizer would take for a special token. */
export function shieldTexts(messages: readonly ChatMessage[], isRisky: (text: string) => boolean): Shielded {
  const texts: string[] = [];
  const shielded = messages.map((message) => {
    const { content } = message;
    if (!content.includes(OPEN) && !isRisky(content)) return message;
    texts.push(content);
    return { ...message, content: `${OPEN}${texts.length - 1}${CLOSE}` };
  });
  return { messages: texts.length === 0 ? messages : shielded, texts };
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
