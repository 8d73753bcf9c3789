/** Whether no value can obey two schemas at once, which is what `oneOf` needs to be the same as `anyOf`. When in doubt, no. */
import { isSame } from "./merge-schemas";
import { isSchema, type Schema, typesOf } from "./schema-types";

const depthMax = 8;

export function areApart(first: Schema, second: Schema, resolve: (schema: Schema) => Schema, depth = 0): boolean {
  if (depth > depthMax) return false;
  const [one, other] = [resolve(first), resolve(second)];
  const [values, otherValues] = [valuesOf(one), valuesOf(other)];
  if (values && otherValues) return !values.some((value) => otherValues.some((same) => isSame(value, same)));
  const [types, otherTypes] = [kindsOf(one, values), kindsOf(other, otherValues)];
  if (types.length > 0 && otherTypes.length > 0 && !types.some((type) => otherTypes.includes(type))) return true;
  return (
    requiredOf(one).some((key) => {
      if (!requiredOf(other).includes(key)) return isClosedTo(key, other);
      const [inner, otherInner] = [propertyOf(one, key), propertyOf(other, key)];
      return inner !== null && otherInner !== null && areApart(inner, otherInner, resolve, depth + 1);
    }) || requiredOf(other).some((key) => isClosedTo(key, one))
  );
}

function valuesOf(schema: Schema): readonly unknown[] | null {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

function kindsOf(schema: Schema, values: readonly unknown[] | null): readonly unknown[] {
  const types = values ? values.map(typeOfValue) : typesOf(schema);
  return types.map((type) => (type === "integer" ? "number" : type));
}

export function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Only of a schema for objects alone: others take any value that is none. */
function requiredOf(schema: Schema): readonly string[] {
  return schema.type === "object" && Array.isArray(schema.required) ? schema.required.map(String) : [];
}

function propertyOf({ properties }: Schema, key: string): Schema | null {
  const property = isSchema(properties) && Object.hasOwn(properties, key) ? properties[key] : null;
  return isSchema(property) ? property : null;
}

function isClosedTo(key: string, schema: Schema): boolean {
  return schema.type === "object" && schema.additionalProperties === false && propertyOf(schema, key) === null;
}
