/** GBNF's own spelling of texts. */

export function literal(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `"${escaped}"`;
}

/** White space between the parts of a JSON text: as much as models like to write, and never endless. */
export const sharedRules: Readonly<Record<string, string>> = {
  ws: '(" " | "\\n" [ \\t]{0,20})?',
  char: '[^"\\\\\\x7F\\x00-\\x1F] | "\\\\" (["\\\\bfnrt/] | "u" [0-9a-fA-F]{4})',
  string: '"\\"" char* "\\""',
  integer: '"-"? ("0" | [1-9] [0-9]{0,15})',
  number: 'integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?',
  boolean: '"true" | "false"',
  null: '"null"',
  array: '"[" ws (value ("," ws value)*)? ws "]"',
  object: '"{" ws (string ":" ws value ("," ws string ":" ws value)*)? ws "}"',
  value: "object | array | string | number | boolean | null",
};
