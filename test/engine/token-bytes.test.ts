import { expect, test } from "vitest";
import { tokenBytes, VOCABULARY } from "../../native-models/engine/token-bytes";

const { bytePair, sentencePiece } = VOCABULARY;

test.each([
  ["a space of a byte-level vocabulary", "Ġword", bytePair, false, " word"],
  ["a line feed of one", "Ċ", bytePair, false, "\n"],
  ["letters beyond ASCII in one", "Ã©", bytePair, false, "é"],
  ["a space of SentencePiece", "▁word", sentencePiece, false, " word"],
  ["a whole character in one", "é", sentencePiece, false, "é"],
  ["a control token, as it is written", "<|im_end|>", bytePair, true, "<|im_end|>"],
  ["an added token that looks like bytes", "<0x41>", bytePair, true, "<0x41>"],
])("%s", (_, text, vocabulary, isPlain, expected) => {
  const bytes = tokenBytes({ text, vocabulary, isPlain });
  expect(new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes))).toBe(expected);
});

test("a single byte of SentencePiece", () => {
  expect(tokenBytes({ text: "<0xE2>", vocabulary: sentencePiece, isPlain: false })).toEqual([0xe2]);
});
