/** Words that the parts of the schema reader share. */

export type Schema = Readonly<Record<string, unknown>>;

/** What the rules of one kind of value need of the rules around them. */
export interface RuleMaker {
  /** Keeps a rule under a name like this one and gives back its name. */
  name(wanted: string, rule: string): string;
  /** The expression that stands for a schema's value. */
  value(schema: unknown, path: string, depth: number): string;
  /** Refuses a schema that has to be obeyed; of another the keyword is left out, and the rules allow more than it does. */
  leaveOut(path: string, reason: string): void;
  /** Nothing can be written that obeys it, or it is no schema at all. */
  refuse(path: string, reason: string): never;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function typesOf({ type }: Schema): readonly unknown[] {
  return type === undefined ? [] : [type].flat();
}

/** Keywords that only describe. */
export const remarks: ReadonlySet<string> = new Set(
  "title description default examples example $schema $id $anchor $comment deprecated readOnly writeOnly $defs definitions discriminator contentMediaType contentEncoding".split(
    " ",
  ),
);

const typed = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
  object: ["properties", "required", "additionalProperties"],
} as const;

/** Keywords that are obeyed. */
export const known: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "nullable"],
  ...Object.values(typed).flat(),
]);

/** The types a schema speaks of without naming one. */
export function impliedTypes(schema: Schema): string[] {
  return Object.entries(typed).flatMap(([type, words]) => (words.some((word) => word in schema) ? [type] : []));
}
