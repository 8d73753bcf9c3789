/** Grammars made of JSON schemas: whatever they allow obeys the schema, and a schema that they cannot express is refused by name. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../electron/http/api-error";
import { formGrammar } from "../../electron/http/schema/form-grammar";
import { SchemaRules } from "../../electron/http/schema/schema-rules";
import { seededChance } from "../support/seeded-chance";
import { GbnfWriter } from "./gbnf-writer";
import { usableSchemas } from "./usable-schemas";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const schemaGrammar = (schema: unknown, param: string) => formGrammar({ kind: "json_schema", schema, param }) ?? "";

function textsOf(grammar: string, count: number): string[] {
  const writer = new GbnfWriter(grammar, seededChance(7));
  return Array.from({ length: count }, () => writer.write());
}

describe("a schema's grammar", () => {
  it.each(usableSchemas)("allows only what obeys it: %s", (_what, schema) => {
    const validate = ajv.compile(schema);
    const texts = textsOf(schemaGrammar(schema, "schema"), 150);
    for (const text of texts) {
      const isValid = validate(JSON.parse(text));
      expect(isValid, `${text} ${JSON.stringify(validate.errors)}`).toBe(true);
    }
    expect(new Set(texts).size).toBeGreaterThan(JSON.stringify(schema).includes("only") ? 0 : 1);
  });

  it("leaves out members that are not required, and allows each of them", () => {
    const schema = {
      type: "object",
      properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
      required: ["b"],
    };
    const keys = textsOf(schemaGrammar(schema, "schema"), 200).map((text) => Object.keys(JSON.parse(text)).join(""));
    expect([...new Set(keys)].sort()).toEqual(["ab", "abc", "b", "bc"]);
  });

  it("allows members that the schema does not name, under no name that it does", () => {
    const schema = {
      type: "object",
      properties: { n: { type: "integer" }, na: { type: "integer" }, "": { type: "integer" } },
      additionalProperties: { type: "boolean" },
    };
    const validate = ajv.compile(schema);
    const texts = textsOf(schemaGrammar(schema, "schema"), 500);
    for (const text of texts) expect(validate(JSON.parse(text)), text).toBe(true);
    expect(texts.some((text) => Object.keys(JSON.parse(text)).some((key) => !["n", "na", ""].includes(key)))).toBe(
      true,
    );
  });

  it("of any JSON object allows objects", () => {
    for (const text of textsOf(formGrammar({ kind: "json_object" }) ?? "", 200))
      expect(JSON.parse(text)).toEqual(expect.any(Object));
  });
});

const object = (property: unknown) => ({ type: "object", properties: { a: property }, required: ["a"] });

describe("a schema that no grammar can express", () => {
  it.each<[unknown, string]>([
    [object({ type: "string", pattern: "(?=x)" }), "s.properties.a.pattern"],
    [object({ type: "string", pattern: "a\\b" }), "s.properties.a.pattern"],
    [object({ type: "string", pattern: "(" }), "s.properties.a.pattern"],
    [object({ type: "string", pattern: "a", minLength: 2 }), "s.properties.a.minLength"],
    [object({ type: "string", format: "idn-email" }), "s.properties.a.format"],
    [object({ type: "string", minLength: -1 }), "s.properties.a.minLength"],
    [object({ type: "string", minLength: 5, maxLength: 4 }), "s.properties.a.maxLength"],
    [object({ type: "number", multipleOf: 0.1 }), "s.properties.a.multipleOf"],
    [object({ type: "number", minimum: 0.2, maximum: 0.4 }), "s.properties.a"],
    [object({ type: "integer", minimum: 5, maximum: 4 }), "s.properties.a"],
    [object({ type: "array", uniqueItems: true }), "s.properties.a.uniqueItems"],
    [object({ type: "array", contains: { type: "string" } }), "s.properties.a.contains"],
    [object({ not: { type: "string" } }), "s.properties.a.not"],
    [object({ if: {}, else: {} }), "s.properties.a.if"],
    [object({ type: "object", patternProperties: { a: {} } }), "s.properties.a.patternProperties"],
    [object({ type: "object", minProperties: 2 }), "s.properties.a.minProperties"],
    [object({ type: "text" }), "s.properties.a.type"],
    [object({ enum: [] }), "s.properties.a"],
    [object({ enum: [1], type: "string" }), "s.properties.a"],
    [object({ enum: ["a"], minLength: 2 }), "s.properties.a.minLength"],
    [object(false), "s.properties.a"],
    [object("text"), "s.properties.a"],
    [object({ $ref: "#/$defs/missing" }), "s.properties.a.$ref"],
    [object({ $ref: "https://example.com/schema" }), "s.properties.a.$ref"],
    [object({ $ref: "#/%E0%A4%A" }), "s.properties.a.$ref"],
    [object({ oneOf: [{ type: "number" }, { type: "integer" }] }), "s.properties.a.oneOf"],
    [object({ allOf: [{ type: "string" }, { type: "number" }] }), "s.properties.a.type"],
    [object({ anyOf: [] }), "s.properties.a.anyOf"],
    [{ type: "object", properties: {}, required: ["b"], additionalProperties: false }, "s.required"],
    [{ type: "object", properties: [] }, "s.properties"],
    ["text", "s"],
    [JSON.parse(`${'{"type":"array","items":'.repeat(70)}{}${"}".repeat(70)}`), `s${".items".repeat(65)}`],
  ])("is refused: %j", (schema, param) => {
    expect.assertions(2);
    try {
      schemaGrammar(schema, "s");
    } catch (error) {
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).body.error).toMatchObject({
        param,
        code: "invalid_value",
        type: "invalid_request_error",
      });
    }
  });

  it("is allowed more than it says where it need not be obeyed", () => {
    const rules = new SchemaRules();
    const place = { param: "s", isStrict: false };
    const loose = object({ type: "string", format: "idn-email", contains: 3 });
    expect(() => rules.grammar(rules.add("schema", loose, place))).not.toThrow();
  });
});
