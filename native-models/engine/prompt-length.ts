/**
 * Prompts that are too long by far are known by their letters. Tokenising one would hold up everyone else, and so would sending it
 * to the engine's process, so its tokens are estimated from its beginning.
 */
import { type PromptSource, PromptTooLong } from "../../core/contract/engine";

/** More characters a token than any text has on average; a prompt above it is longer than a slot for certain. */
const CHARACTERS_PER_TOKEN_MAX = 64;
/** Enough to estimate the tokens of the rest. */
const SAMPLE_CHARACTERS = 16_384;

export function isFarTooLong(characters: number, slotTokens: number): boolean {
  return characters > slotTokens * CHARACTERS_PER_TOKEN_MAX;
}

export function sampleOf(text: string): string {
  return text.slice(0, SAMPLE_CHARACTERS);
}

export function tooLong(characters: number, sample: string, sampleTokens: number, slotTokens: number): PromptTooLong {
  const estimate = Math.round((sampleTokens * characters) / Math.max(1, sample.length));
  return new PromptTooLong(Math.max(estimate, slotTokens), slotTokens);
}

/** The characters of a prompt, what they begin with, and how many there are; of one given as tokens there are none. */
export function lettersOf(source: PromptSource): { readonly characters: number; readonly sample: string } {
  const texts = source.kind === "text" ? [source.text] : source.kind === "chat" ? chatTexts(source) : [];
  let characters = 0;
  let sample = "";
  for (const text of texts) {
    characters += text.length;
    if (sample.length < SAMPLE_CHARACTERS) sample += sampleOf(text);
  }
  return { characters, sample: sampleOf(sample) };
}

function chatTexts({ messages }: Extract<PromptSource, { kind: "chat" }>): readonly string[] {
  return messages.map(({ content }) => content);
}
