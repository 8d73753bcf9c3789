/** GBNF of one letter out of a class, as it stands within a JSON text: quotes, backslashes and control characters are escaped there. */
import { literal } from "./gbnf";

/** First and last code point. */
export type LetterRange = readonly [number, number];

/** What JSON does not take as it is. */
const forbidden: readonly LetterRange[] = [
  [0x00, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [0x7f, 0x7f],
];
/** Of those the ones that may be chosen all the same. */
const escapable = [0x22, 0x5c, 0x09, 0x0a, 0x0d];

/** Null: no letter is left. */
export function letterClass(ranges: readonly LetterRange[], isNegated: boolean): string | null {
  if (isNegated) return `[^${[...ranges, ...forbidden].map(written).join("")}]`;
  const plain = forbidden.reduce<readonly LetterRange[]>(
    (left, hole) => left.flatMap((range) => without(range, hole)),
    ranges,
  );
  const escaped = escapable.filter((code) => ranges.some(([from, to]) => from <= code && code <= to));
  const parts = [
    ...(plain.length === 0 ? [] : [`[${plain.map(written).join("")}]`]),
    ...escaped.map((code) => inJson(String.fromCodePoint(code))),
  ];
  if (parts.length === 0) return null;
  return parts.length === 1 ? (parts[0] ?? null) : `(${parts.join(" | ")})`;
}

/** A letter as it stands within a JSON text. */
export function inJson(letter: string): string {
  return literal(JSON.stringify(letter).slice(1, -1));
}

function without([from, to]: LetterRange, [low, high]: LetterRange): LetterRange[] {
  const pieces: LetterRange[] = [
    [from, Math.min(to, low - 1)],
    [Math.max(from, high + 1), to],
  ];
  return pieces.filter(([first, last]) => first <= last);
}

function written([from, to]: LetterRange): string {
  return from === to ? code(from) : `${code(from)}-${code(to)}`;
}

function code(point: number): string {
  const letter = String.fromCodePoint(point);
  if (/[a-zA-Z0-9_]/.test(letter)) return letter;
  const hex = point.toString(16).toUpperCase();
  return point > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
