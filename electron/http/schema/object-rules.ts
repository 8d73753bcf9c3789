/**
 * Rules of objects and arrays. Members come in the schema's order, those not required may be left out, and members that the
 * schema does not name follow only where `additionalProperties` speaks of them.
 */
import { literal, repeated } from "./gbnf";
import { type LetterRange, letterClass } from "./letter-class";
import { isSchema, type RuleMaker, type Schema } from "./schema-types";
import { counts } from "./text-rules";

export function objectRule(maker: RuleMaker, schema: Schema, path: string, depth: number): string {
  const properties = propertiesOf(maker, schema, path);
  const extra = schema.additionalProperties;
  if (properties.length === 0) {
    if (extra === false) return '"{" ws "}"';
    const value = extra === undefined ? "value" : maker.value(extra, `${path}.additionalProperties`, depth + 1);
    return `"{" ws (string ":" ws ${value} ("," ws string ":" ws ${value})*)? ws "}"`;
  }
  const members = properties.map(({ key, schema: inner, isRequired }) => ({
    rule: `${literal(JSON.stringify(key))} ":" ws ${maker.value(inner, `${path}.properties.${key}`, depth + 1)}`,
    isRequired,
  }));
  let { first, behind } = extraMembers(maker, schema, path, depth);
  // From the last to the first: what may follow once something was written, and what may stand first.
  for (const { rule, isRequired } of members.reverse()) {
    const member = maker.name("member", rule);
    const start = `${member} ${behind}`;
    first = maker.name("first", isRequired ? start : `${start} | ${first || '""'}`);
    behind = maker.name("behind", isRequired ? `"," ws ${member} ${behind}` : `("," ws ${member})? ${behind}`);
  }
  return `"{" ws ${first} ws "}"`;
}

interface Property {
  readonly key: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function propertiesOf(maker: RuleMaker, schema: Schema, path: string): Property[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (!isSchema(properties)) return maker.refuse(`${path}.properties`, "it has to be an object");
  if (!Array.isArray(required)) return maker.refuse(`${path}.required`, "it has to be a list");
  const unnamed = required.map(String).filter((key) => !Object.hasOwn(properties, key));
  if (unnamed.length > 0 && additionalProperties === false) {
    maker.refuse(`${path}.required`, `'${unnamed[0]}' is required and not among its properties`);
  }
  return [
    ...Object.entries(properties).map(([key, inner]) => ({ key, schema: inner, isRequired: required.includes(key) })),
    ...[...new Set(unnamed)].map((key) => ({ key, schema: additionalProperties ?? true, isRequired: true })),
  ];
}

/** Under any name but those of the properties: of two members with one name only the last would count. */
function extraMembers(maker: RuleMaker, schema: Schema, path: string, depth: number) {
  const { properties, required = [], additionalProperties: extra } = schema;
  if (extra === undefined || extra === false) return { first: "", behind: "" };
  const names = [...Object.keys(isSchema(properties) ? properties : {}), ...[required].flat().map(String)];
  const key = maker.name("other-name", `"\\"" (${otherName(maker, names)}) "\\""`);
  const member = maker.name("other", `${key} ":" ws ${maker.value(extra, `${path}.additionalProperties`, depth + 1)}`);
  return {
    first: maker.name("others", `(${member} ("," ws ${member})*)?`),
    behind: maker.name("others-behind", `("," ws ${member})*`),
  };
}

/** Letter by letter: on the way of some name, then off it. Where a name needs an escape its way ends before it. */
function otherName(maker: RuleMaker, names: readonly string[]): string {
  const next = new Map<string, string[]>();
  for (const name of names) {
    const letter = String.fromCodePoint(name.codePointAt(0) ?? 0);
    if (name !== "" && !/["\\\p{Cc}]/u.test(letter))
      next.set(letter, [...(next.get(letter) ?? []), name.slice(letter.length)]);
  }
  const ways = [...next].map(([letter, rests]) => `${literal(letter)} ${maker.name("way", otherName(maker, rests))}`);
  const taken = [...next.keys()].map((letter): LetterRange => [letter.codePointAt(0) ?? 0, letter.codePointAt(0) ?? 0]);
  const off = `${letterClass(taken, true)} char*`;
  return [off, ...ways, ...(names.includes("") ? [] : ['""'])].join(" | ");
}

export function arrayRule(maker: RuleMaker, schema: Schema, path: string, depth: number): string {
  if (schema.uniqueItems === true) maker.leaveOut(`${path}.uniqueItems`, "the keyword 'uniqueItems' cannot be obeyed");
  const { least, most } = counts(maker, schema, "minItems", "maxItems", path);
  const given = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : []);
  if (!Array.isArray(given)) return maker.refuse(`${path}.prefixItems`, "it has to be a list");
  const fixed = given.slice(0, most).map((item, at) => maker.value(item, `${path}.prefixItems.${at}`, depth + 1));
  const further = Array.isArray(schema.items) ? undefined : schema.items;
  const missing = Math.max(0, least - fixed.length);
  const left = most === undefined ? undefined : most - fixed.length;
  if (fixed.length > 0 && (further === undefined || further === false || left === 0)) {
    if (missing > 0 && further === false) maker.refuse(`${path}.minItems`, "there are not so many items");
    if (missing === 0) return `"[" ws ${fixed.join(' "," ws ')} ws "]"`;
  }
  if (most === 0 || (further === false && fixed.length === 0)) return '"[" ws "]"';
  const item = maker.name("item", further === undefined ? "value" : maker.value(further, `${path}.items`, depth + 1));
  const next = `("," ws ${item})`;
  if (fixed.length > 0) return `"[" ws ${fixed.join(' "," ws ')} ${repeated(next, missing, left)} ws "]"`;
  const more = repeated(next, Math.max(0, least - 1), most === undefined ? undefined : most - 1);
  return least === 0 ? `"[" ws (${item} ${more})? ws "]"` : `"[" ws ${item} ${more} ws "]"`;
}
