/**
 * Makes GBNF rules of a JSON schema, so that an answer obeys it while it is written. A keyword that no rule can express is
 * refused by name, or, for a schema that is not strict, left out: the rules then allow more than the schema does.
 */
import { ApiError } from "../api-error";
import { areApart, typeOfValue } from "./apart";
import { literal, sharedRules } from "./gbnf";
import { mergeSchemas } from "./merge-schemas";
import { arrayRule, objectRule } from "./object-rules";
import { impliedTypes, isSchema, known, type RuleMaker, remarks, type Schema, typesOf } from "./schema-types";
import { numberRule, textRule } from "./text-rules";

export interface SchemaPlace {
  /** Where the schema stands in the client's body. */
  readonly param: string;
  readonly isStrict: boolean;
}

const depthMax = 64;
const rulesMax = 5000;

export class SchemaRules implements RuleMaker {
  readonly #rules = new Map<string, string>();
  /** Rules of `$ref`s, made once each, which is also how a schema that holds itself ends. */
  readonly #refs = new Map<string, string>();
  #root: Schema = {};
  #place: SchemaPlace = { param: "", isStrict: true };

  /** The expression that stands for a schema's value. */
  add(name: string, schema: unknown, place: SchemaPlace): string {
    this.#place = place;
    this.#root = isSchema(schema) ? schema : this.refuse(place.param, "a schema is an object");
    this.#refs.clear();
    return this.name(name, this.value(this.#root, place.param, 0));
  }

  grammar(root: string): string {
    const rules = [["root", root], ...this.#rules, ...Object.entries(sharedRules)];
    return `${rules.map(([name, rule]) => `${name} ::= ${rule}`).join("\n")}\n`;
  }

  name(wanted: string, rule: string): string {
    if (this.#rules.size >= rulesMax) this.refuse("", "it is too large");
    const name = this.#rules.has(wanted) ? `${wanted}-${this.#rules.size}` : wanted;
    this.#rules.set(name, rule);
    return name;
  }

  leaveOut(path: string, reason: string): void {
    if (this.#place.isStrict) this.refuse(path, reason);
  }

  refuse(path: string, reason: string): never {
    const param = path === "" ? this.#place.param : path;
    throw new ApiError("invalid_value", `The JSON schema at '${param}' cannot be used: ${reason}.`, { param });
  }

  value(schema: unknown, path: string, depth: number): string {
    if (schema === true) return "value";
    if (depth > depthMax) this.refuse(path, `it is nested more than ${depthMax} levels deep`);
    if (!isSchema(schema)) return this.refuse(path, schema === false ? "it allows nothing" : "a schema is an object");
    const unknown = Object.keys(schema).find((key) => !known.has(key) && !remarks.has(key));
    if (unknown !== undefined) this.leaveOut(`${path}.${unknown}`, `the keyword '${unknown}' cannot be obeyed`);
    const { $ref, allOf, nullable, ...rest } = withoutRemarks(schema);
    if (nullable === true)
      return this.name("nullable", `${this.value({ ...schema, nullable: false }, path, depth + 1)} | null`);
    if ($ref === undefined && allOf === undefined) return this.#plain(rest, path, depth);
    const parts = [...($ref === undefined ? [] : [{ $ref }]), ...(Array.isArray(allOf) ? allOf : [])];
    const [only] = parts;
    const isAlone = Object.keys(rest).length === 0 && parts.length === 1;
    if (isAlone && $ref !== undefined) return this.#reference($ref, path, depth);
    if (isAlone) return this.value(only, path, depth + 1);
    return this.value(this.#merged([rest, ...parts.map((part) => this.#resolved(part, path))], path), path, depth + 1);
  }

  /** Without references and `allOf`. */
  #plain(schema: Schema, path: string, depth: number): string {
    if ("const" in schema) return this.#choice(schema, [schema.const], path);
    if (schema.enum !== undefined) return this.#choice(schema, [schema.enum].flat(), path);
    if (schema.anyOf !== undefined || schema.oneOf !== undefined) return this.#branches(schema, path, depth);
    const types = typesOf(schema).length > 0 ? typesOf(schema) : impliedTypes(schema);
    if (types.length === 0) return "value";
    return this.name("typed", types.map((type) => this.#typed(type, schema, path, depth)).join(" | "));
  }

  #choice(schema: Schema, values: readonly unknown[], path: string): string {
    const { const: _, enum: listed = values, type: __, ...beside } = schema;
    const [other] = Object.keys(beside).filter((key) => known.has(key));
    if (other !== undefined) this.leaveOut(`${path}.${other}`, `'${other}' beside listed values cannot be obeyed`);
    const types = typesOf(schema);
    const possible = values.filter((value) => {
      const isListed = [listed].flat().some((each) => JSON.stringify(each) === JSON.stringify(value));
      const type = typeOfValue(value);
      return (
        isListed && (types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number")))
      );
    });
    if (possible.length === 0) this.refuse(path, "it allows no value");
    return this.name("choice", possible.map((value) => literal(JSON.stringify(value))).join(" | "));
  }

  #branches({ anyOf, oneOf, ...beside }: Schema, path: string, depth: number): string {
    const word = anyOf === undefined ? "oneOf" : "anyOf";
    if (anyOf !== undefined && oneOf !== undefined) this.leaveOut(`${path}.oneOf`, "it stands beside 'anyOf'");
    const branches = anyOf ?? oneOf;
    if (!Array.isArray(branches) || branches.length === 0) return this.refuse(`${path}.${word}`, "it has to be a list");
    if (word === "oneOf") this.#checkApart(branches, `${path}.oneOf`);
    const isAlone = Object.keys(beside).length === 0;
    const rules = branches.map((branch, at) => {
      const place = `${path}.${word}.${at}`;
      const whole =
        isAlone || !isSchema(branch) ? branch : this.#merged([beside, this.#resolved(branch, place)], place);
      return this.value(whole, place, depth + 1);
    });
    return this.name("any", rules.join(" | "));
  }

  /** A value that obeyed two branches would not obey `oneOf`. */
  #checkApart(branches: readonly unknown[], path: string): void {
    const schemas = branches.map((branch) => (isSchema(branch) ? branch : {}));
    const resolve = (schema: Schema) => this.#resolved(schema, path);
    const isClear = schemas.every((one, at) => schemas.slice(at + 1).every((other) => areApart(one, other, resolve)));
    if (!isClear) this.leaveOut(path, "a value could obey two of its branches; say 'anyOf'");
  }

  #typed(type: unknown, schema: Schema, path: string, depth: number): string {
    switch (type) {
      case "null":
      case "boolean":
        return type;
      case "integer":
      case "number":
        return numberRule(this, type, schema, path);
      case "string":
        return textRule(this, schema, path);
      case "array":
        return arrayRule(this, schema, path, depth);
      case "object":
        return objectRule(this, schema, path, depth);
      default:
        this.leaveOut(`${path}.type`, `'${String(type)}' is no type`);
        return "value";
    }
  }

  #reference(target: unknown, path: string, depth: number): string {
    const found = this.#target(target, path);
    const known = this.#refs.get(String(target));
    if (known !== undefined) return known;
    const name = this.name("ref", "value");
    this.#refs.set(String(target), name);
    this.#rules.set(name, this.value(found, path, depth + 1));
    return name;
  }

  #target(target: unknown, path: string): unknown {
    const keys = String(target).replace(/^#\/?/, "").split("/");
    const found = keys
      .filter((key) => key !== "")
      .reduce<unknown>((value, key) => {
        const name = unescaped(key).replaceAll("~1", "/").replaceAll("~0", "~");
        return typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Schema)[name]
          : undefined;
      }, this.#root);
    if (typeof target === "string" && target.startsWith("#") && found !== undefined) return found;
    return this.refuse(`${path}.$ref`, `there is no '${String(target)}'`);
  }

  /** What it says itself, through references that say nothing else. */
  #resolved(schema: unknown, path: string): Schema {
    let found = schema;
    for (let steps = 0; steps < depthMax; steps += 1) {
      if (!isSchema(found)) return this.refuse(path, "a schema is an object");
      const { $ref, ...rest } = withoutRemarks(found);
      if ($ref === undefined) return found;
      const target = this.#target($ref, path);
      found = Object.keys(rest).length === 0 ? target : { ...rest, allOf: [target, ...[rest.allOf ?? []].flat()] };
    }
    return this.refuse(path, "its references go round in a circle");
  }

  #merged(schemas: readonly Schema[], path: string): Schema {
    return mergeSchemas(schemas, (keyword) =>
      this.leaveOut(`${path}.${keyword}`, `two schemas that hold together differ in '${keyword}'`),
    );
  }
}

function withoutRemarks(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !remarks.has(key)));
}

/** The part behind `#` is one of a URL. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
