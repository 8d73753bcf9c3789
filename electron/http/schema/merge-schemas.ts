/** One schema out of several that hold together: `allOf`, and keywords beside a `$ref` or beside `anyOf`. */
import { isSchema, remarks, type Schema, typesOf } from "./schema-types";

/** `conflict` is told a keyword of which two schemas say what cannot be said at once; the first one then holds. */
export function mergeSchemas(schemas: readonly Schema[], conflict: (keyword: string) => void): Schema {
  return schemas.reduce((merged, next) => mergeTwo(merged, next, conflict), {});
}

function mergeTwo(first: Schema, second: Schema, conflict: (keyword: string) => void): Schema {
  const merged: Record<string, unknown> = { ...first };
  if (closes(first, second) || closes(second, first)) conflict("additionalProperties");
  for (const [keyword, value] of Object.entries(second)) {
    if (remarks.has(keyword)) continue;
    merged[keyword] = keyword in first ? both(keyword, first[keyword], value, conflict) : value;
  }
  return merged;
}

function both(keyword: string, first: unknown, second: unknown, conflict: (keyword: string) => void): unknown {
  if (JSON.stringify(first) === JSON.stringify(second)) return first;
  switch (keyword) {
    case "properties":
      return mergeProperties(first, second);
    case "required":
      return [...new Set([first, second].flat())];
    case "type":
      return commonTypes(first, second, () => conflict(keyword));
    case "enum":
      return [first].flat().filter((value) => [second].flat().some((other) => isSame(value, other)));
    case "minimum":
    case "exclusiveMinimum":
    case "minLength":
    case "minItems":
      return Math.max(Number(first), Number(second));
    case "maximum":
    case "exclusiveMaximum":
    case "maxLength":
    case "maxItems":
      return Math.min(Number(first), Number(second));
    case "items":
      return { allOf: [first, second] };
    case "nullable":
      return first === true && second === true;
    default:
      conflict(keyword);
      return first;
  }
}

function mergeProperties(first: unknown, second: unknown): unknown {
  if (!isSchema(first) || !isSchema(second)) return first;
  const merged: Record<string, unknown> = { ...first };
  for (const [key, schema] of Object.entries(second)) {
    merged[key] = Object.hasOwn(first, key) && !isSame(first[key], schema) ? { allOf: [first[key], schema] } : schema;
  }
  return merged;
}

function commonTypes(first: unknown, second: unknown, conflict: () => void): unknown[] {
  const [own, other] = [typesOf({ type: first }), typesOf({ type: second })];
  const hasWhole = own.includes("integer") || other.includes("integer");
  const isNumeric = [own, other].every((types) => types.includes("integer") || types.includes("number"));
  const common = own.filter((type) => other.includes(type));
  const all = [...new Set([...common, ...(hasWhole && isNumeric ? ["integer"] : [])])];
  if (all.length === 0) conflict();
  return all.length === 0 ? [...own] : all;
}

/** True where `first` forbids or shapes members that only `second` names. */
function closes(first: Schema, second: Schema): boolean {
  const extra = first.additionalProperties;
  if (extra === undefined || extra === true || !isSchema(second.properties)) return false;
  const own = isSchema(first.properties) ? first.properties : {};
  return Object.keys(second.properties).some((key) => !Object.hasOwn(own, key));
}

export function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}
