/**
 * Makes GBNF rules of a JSON schema, so that an answer obeys it while it is written. A keyword that no rule can express is
 * refused by name, or, for a schema that is not strict, left out: the rules then allow more than the schema does.
 */
import { ApiError } from "../api-error";
import { literal, sharedRules } from "./gbnf";

export interface SchemaPlace {
  /** Where the schema stands in the client's body. */
  readonly param: string;
  readonly isStrict: boolean;
}

type Schema = Readonly<Record<string, unknown>>;

/** Keywords that only describe. */
const remarks = new Set(
  "title description default examples example $schema $id $comment deprecated readOnly writeOnly $defs definitions".split(
    " ",
  ),
);
const read = new Set(
  "type enum const anyOf oneOf $ref properties required additionalProperties items minItems maxItems minLength maxLength nullable".split(
    " ",
  ),
);
const depthMax = 64;
const rulesMax = 5000;

export class SchemaRules {
  readonly #rules = new Map<string, string>();
  /** Rules of `$ref`s, made once each, which is also how a schema that holds itself ends. */
  readonly #refs = new Map<string, string>();
  #root: Schema = {};
  #place: SchemaPlace = { param: "", isStrict: true };

  /** The expression that stands for a schema's value. */
  add(name: string, schema: unknown, place: SchemaPlace): string {
    this.#place = place;
    this.#root = this.#object(schema, place.param);
    this.#refs.clear();
    return this.name(name, this.#value(this.#root, place.param, 0));
  }

  name(wanted: string, rule: string): string {
    if (this.#rules.size >= rulesMax) throw this.#refusal("", "it is too large");
    const name = this.#rules.has(wanted) ? `${wanted}-${this.#rules.size}` : wanted;
    this.#rules.set(name, rule);
    return name;
  }

  grammar(root: string): string {
    const rules = [["root", root], ...this.#rules, ...Object.entries(sharedRules)];
    return `${rules.map(([name, rule]) => `${name} ::= ${rule}`).join("\n")}\n`;
  }

  #value(schema: unknown, path: string, depth: number): string {
    if (schema === true) return "value";
    if (depth > depthMax) throw this.#refusal(path, `it is nested more than ${depthMax} levels deep`);
    const read = this.#object(schema, path);
    this.#refuseUnknown(read, path);
    if (typeof read.$ref === "string") return this.#reference(read.$ref, path, depth);
    if (read.const !== undefined) return literal(JSON.stringify(read.const));
    if (Array.isArray(read.enum)) {
      if (read.enum.length === 0) throw this.#refusal(`${path}.enum`, "an empty list allows nothing");
      return this.name("choice", read.enum.map((choice) => literal(JSON.stringify(choice))).join(" | "));
    }
    const branches = read.anyOf ?? read.oneOf;
    if (Array.isArray(branches)) {
      const word = read.anyOf === undefined ? "oneOf" : "anyOf";
      return this.name(
        "any",
        branches.map((branch, at) => this.#value(branch, `${path}.${word}.${at}`, depth + 1)).join(" | "),
      );
    }
    const types = [read.type ?? (read.properties ? "object" : read.items ? "array" : [])].flat();
    if (read.nullable === true) types.push("null");
    if (types.length === 0) return "value";
    return this.name("typed", types.map((type) => this.#typed(type, read, path, depth)).join(" | "));
  }

  #typed(type: unknown, schema: Schema, path: string, depth: number): string {
    switch (type) {
      case "null":
      case "boolean":
      case "integer":
      case "number":
        return type;
      case "string":
        return schema.minLength === undefined && schema.maxLength === undefined
          ? "string"
          : `"\\"" char${this.#counts(schema.minLength, schema.maxLength, path)} "\\""`;
      case "array":
        return this.#array(schema, path, depth);
      case "object":
        return this.#members(schema, path, depth);
      default:
        throw this.#refusal(`${path}.type`, `'${String(type)}' is no type`);
    }
  }

  #array(schema: Schema, path: string, depth: number): string {
    const item = schema.items === undefined ? "value" : this.#value(schema.items, `${path}.items`, depth + 1);
    const least = this.#count(schema.minItems, path) ?? 0;
    const most = this.#count(schema.maxItems, path);
    if (most === 0) return '"[" ws "]"';
    const more = `("," ws ${item})${this.#counts(Math.max(0, least - 1), most === undefined ? undefined : most - 1, path)}`;
    return least === 0 ? `"[" ws (${item} ${more})? ws "]"` : `"[" ws ${item} ${more} ws "]"`;
  }

  /** Members come in the schema's order; those not required may be left out. */
  #members(schema: Schema, path: string, depth: number): string {
    const properties = Object.entries(this.#object(schema.properties ?? {}, `${path}.properties`));
    const extra = schema.additionalProperties;
    if (properties.length === 0) {
      if (extra === false) return '"{" ws "}"';
      const value = extra === undefined ? "value" : this.#value(extra, `${path}.additionalProperties`, depth + 1);
      return `"{" ws (string ":" ws ${value} ("," ws string ":" ws ${value})*)? ws "}"`;
    }
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const members = properties.map(([key, value]) => ({
      rule: `${literal(JSON.stringify(key))} ":" ws ${this.#value(value, `${path}.properties.${key}`, depth + 1)}`,
      isRequired: required.has(key),
    }));
    // From the last to the first: what may follow once something was written, and what may stand first.
    let behind = "";
    let first = "";
    for (const { rule, isRequired } of members.reverse()) {
      const member = this.name("member", rule);
      const start = `${member} ${behind}`;
      first = isRequired ? start : `(${start} | ${first || '""'})`;
      behind = this.name("behind", isRequired ? `"," ws ${member} ${behind}` : `("," ws ${member})? ${behind}`);
      first = this.name("first", first);
    }
    return `"{" ws ${first} ws "}"`;
  }

  #reference(target: string, path: string, depth: number): string {
    const known = this.#refs.get(target);
    if (known !== undefined) return known;
    const found = target
      .replace(/^#\/?/, "")
      .split("/")
      .filter((key) => key !== "")
      .reduce<unknown>((value, key) => {
        const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
        return typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Schema)[name]
          : undefined;
      }, this.#root);
    if (!target.startsWith("#") || found === undefined) throw this.#refusal(`${path}.$ref`, `there is no '${target}'`);
    const name = this.name("ref", "value");
    this.#refs.set(target, name);
    this.#rules.set(name, this.#value(found, path, depth + 1));
    return name;
  }

  #counts(least: unknown, most: unknown, path: string): string {
    const from = this.#count(least, path) ?? 0;
    const to = this.#count(most, path);
    return `{${from},${to ?? ""}}`;
  }

  #count(value: unknown, path: string): number | undefined {
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 10_000) return value;
    throw this.#refusal(path, "lengths are whole numbers from 0 to 10,000");
  }

  #object(value: unknown, path: string): Schema {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Schema;
    throw this.#refusal(path, "a schema is an object");
  }

  #refuseUnknown(schema: Schema, path: string): void {
    if (!this.#place.isStrict) return;
    const unknown = Object.keys(schema).find((key) => !read.has(key) && !remarks.has(key));
    if (unknown !== undefined) throw this.#refusal(`${path}.${unknown}`, `the keyword '${unknown}' cannot be obeyed`);
  }

  #refusal(path: string, reason: string): ApiError {
    const param = path === "" ? this.#place.param : path;
    return new ApiError("invalid_value", `The JSON schema at '${param}' cannot be used: ${reason}.`, { param });
  }
}
