/** The grammars of answers that have to be JSON. */
import { SchemaRules } from "./schema-rules";

export function jsonObjectGrammar(): string {
  return new SchemaRules().grammar("object");
}

/** Throws a 400 that names the keyword no grammar can express. */
export function schemaGrammar(schema: unknown, param: string): string {
  const rules = new SchemaRules();
  return rules.grammar(rules.add("schema", schema, { param, isStrict: true }));
}
