/** GBNF's own spelling of texts, and the rules all JSON grammars share. */

export function literal(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `"${escaped}"`;
}

/** What llama.cpp takes in one `{from,to}`; more is put together from several. */
const repeatsMax = 1000;

/** `rule` so many times; without `to` any number from `from` on. */
export function repeated(rule: string, from: number, to?: number): string {
  const parts: string[] = [];
  let [least, most] = [from, to ?? Number.POSITIVE_INFINITY];
  while (least > repeatsMax || (most > repeatsMax && most !== Number.POSITIVE_INFINITY)) {
    const part = Math.min(least, repeatsMax);
    parts.push(`${rule}{${part},${repeatsMax}}`);
    [least, most] = [least - part, most - repeatsMax];
  }
  if (most > 0) parts.push(`${rule}{${least},${most === Number.POSITIVE_INFINITY ? "" : most}}`);
  return parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" ")})`;
}

/**
 * White space between the parts of a JSON text: as much as models like to write, and never endless. Half a surrogate pair is
 * no character, so it cannot be escaped.
 */
export const sharedRules: Readonly<Record<string, string>> = {
  ws: '(" " | "\\n" [ \\t]{0,20})?',
  escape: '"\\\\" (["\\\\bfnrt/] | "u" ([0-9a-cA-CefEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2}))',
  char: '[^"\\\\\\x7F\\x00-\\x1F] | escape',
  string: '"\\"" char* "\\""',
  integer: '"-"? ("0" | [1-9] [0-9]{0,15})',
  number: 'integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,2})?',
  boolean: '"true" | "false"',
  null: '"null"',
  array: '"[" ws (value ("," ws value)*)? ws "]"',
  object: '"{" ws (string ":" ws value ("," ws string ":" ws value)*)? ws "}"',
  value: "object | array | string | number | boolean | null",
};
