/** The tokens of the scripted engine: every word has one, and the next one is a hash of all before it. */
import type { Token } from "../../core/contract/ids";

/** FNV-1a over the numbers, then mixed, so that near contents do not give near tokens. */
export function hashOf(numbers: readonly number[], seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (const number of numbers) hash = Math.imul(hash ^ number, 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function textOf(tokens: readonly Token[]): string {
  return tokens.map((token) => ` w${token}`).join("");
}

export function wordsToTokens(text: string, vocabularySize: number): Token[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return words.map(
    (word) =>
      hashOf(
        [...word].map((character) => character.codePointAt(0) ?? 0),
        0,
      ) % vocabularySize,
  );
}
