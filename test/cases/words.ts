/** Prompts for the cases: nonsense words, so that text that leaks from one request into another is unmistakable. */
import type { ChatMessage } from "./chat-call";

export const system = (content: string): ChatMessage => ({ role: "system", content });
export const user = (content: string): ChatMessage => ({ role: "user", content });
export const assistant = (content: string): ChatMessage => ({ role: "assistant", content });

export type Tag = "zorvik" | "quellam" | "brantoc" | "mistop" | "pludge" | "fennik";

/** Measured with the starter model: a tag with its number makes so many tokens. */
const tokensPerWord: Readonly<Record<Tag, number>> = {
  zorvik: 5.8,
  quellam: 5.8,
  brantoc: 5.8,
  mistop: 4.8,
  pludge: 4.8,
  fennik: 5.8,
};

/** About so many tokens; `usage.prompt_tokens` says how many it really were. */
export function paragraph(tag: Tag, tokens: number): string {
  const words = Math.max(1, Math.round(tokens / tokensPerWord[tag]));
  return Array.from({ length: words }, (_, index) => `${tag} ${index % 97}`).join(" ");
}
