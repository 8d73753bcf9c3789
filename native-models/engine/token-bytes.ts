/**
 * The bytes a single token stands for, from its entry in the vocabulary: a part of a character has no text of its own, but
 * whoever reads log probabilities has to be able to put characters together again.
 */
import { spellByte } from "../catalogue/byte-spelling";

/** As llama.cpp numbers the kinds of vocabularies. */
export const VOCABULARY = { sentencePiece: 1, bytePair: 2, unigram: 4 } as const;

export interface VocabularyEntry {
  /** As it stands in the vocabulary, e.g. `Ġword`, `▁word` or `<0xE2>`. */
  readonly text: string;
  /** Control tokens and added ones stand there as they are written. */
  readonly isPlain: boolean;
  readonly vocabulary: number;
}

const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/i;
const encoder = new TextEncoder();

export function tokenBytes({ text, isPlain, vocabulary }: VocabularyEntry): number[] {
  if (isPlain) return utf8(text);
  if (vocabulary === VOCABULARY.bytePair)
    return [...text].flatMap((letter) => BYTE_OF_LETTER.get(letter) ?? utf8(letter));
  const byte = BYTE_TOKEN.exec(text)?.[1];
  if (byte !== undefined) return [Number.parseInt(byte, 16)];
  return utf8(text.replaceAll("▁", " "));
}

function utf8(text: string): number[] {
  return [...encoder.encode(text)];
}

const BYTE_OF_LETTER: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [spellByte(byte), byte]),
);
