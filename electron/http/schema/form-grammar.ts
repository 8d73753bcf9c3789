/** The grammars of answers that have to be JSON. */
import type { AnswerFormat } from "../generation/generation-request";
import { SchemaRules } from "./schema-rules";

/** Null: the answer is free. Throws a 400 that names the keyword no grammar can express. */
export function formGrammar(format: AnswerFormat): string | null {
  const rules = new SchemaRules();
  const rule = formRule(rules, format);
  return rule === null ? null : rules.grammar(rule);
}

export function formRule(rules: SchemaRules, format: AnswerFormat): string | null {
  switch (format.kind) {
    case "text":
      return null;
    case "json_object":
      return "object";
    case "json_schema":
      return rules.add("schema", format.schema, { param: format.param, isStrict: true });
    default:
      return format satisfies never;
  }
}
