/** Rules of texts and numbers. */
import { repeated } from "./gbnf";
import { type Bounds, integersWithin, numbersWithin } from "./number-range";
import type { RuleMaker, Schema } from "./schema-types";
import { formatPatterns } from "./string-formats";
import { patternRule, UnusablePattern } from "./string-pattern";

/** A text may be made shorter than it has to be, but hardly longer. */
export const countMax = 10_000;

export function textRule(maker: RuleMaker, schema: Schema, path: string): string {
  const { pattern, format, minLength, maxLength } = schema;
  const hasLength = minLength !== undefined || maxLength !== undefined;
  if (typeof pattern === "string") {
    if (hasLength)
      maker.leaveOut(`${path}.${minLength === undefined ? "maxLength" : "minLength"}`, "it stands beside 'pattern'");
    if (format !== undefined) maker.leaveOut(`${path}.format`, "it stands beside 'pattern'");
    return madePattern(maker, pattern, `${path}.pattern`);
  }
  if (typeof format === "string") {
    const known = formatPatterns[format];
    if (known === undefined) maker.leaveOut(`${path}.format`, `the format '${format}' cannot be obeyed`);
    else {
      if (hasLength)
        maker.leaveOut(`${path}.${minLength === undefined ? "maxLength" : "minLength"}`, "it stands beside 'format'");
      return maker.name("format", patternRule(known));
    }
  }
  if (!hasLength) return "string";
  const { least, most } = counts(maker, schema, "minLength", "maxLength", path);
  return `"\\"" ${repeated("char", least, most)} "\\""`;
}

function madePattern(maker: RuleMaker, pattern: string, path: string): string {
  try {
    return maker.name("pattern", patternRule(pattern));
  } catch (error) {
    if (!(error instanceof UnusablePattern)) throw error;
    maker.leaveOut(path, error.message);
    return "string";
  }
}

/** Also those of arrays. */
export function counts(
  maker: RuleMaker,
  schema: Schema,
  leastWord: string,
  mostWord: string,
  path: string,
): { readonly least: number; readonly most: number | undefined } {
  const [least = 0, most] = [leastWord, mostWord].map((word) => {
    const value = schema[word];
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && Number(value) >= 0) return Number(value);
    return maker.refuse(`${path}.${word}`, "it has to be a whole number from 0 on");
  });
  if (least > countMax) maker.refuse(`${path}.${leastWord}`, "more than 10,000 are not possible");
  if (most !== undefined && most < least) maker.refuse(`${path}.${mostWord}`, `it is below '${leastWord}'`);
  return { least, most: most === undefined ? undefined : Math.min(most, countMax) };
}

export function numberRule(maker: RuleMaker, type: "integer" | "number", schema: Schema, path: string): string {
  const { multipleOf } = schema;
  if (multipleOf !== undefined && !(multipleOf === 1 && type === "integer")) {
    maker.leaveOut(`${path}.multipleOf`, "the keyword 'multipleOf' cannot be obeyed");
  }
  const bound = (word: string): number | undefined => {
    const value = schema[word];
    if (value === undefined || typeof value === "number") return value;
    maker.leaveOut(`${path}.${word}`, "it has to be a number");
    return undefined;
  };
  const bounds: Bounds = {
    ...{ min: bound("minimum"), max: bound("maximum") },
    ...{ aboveMin: bound("exclusiveMinimum"), belowMax: bound("exclusiveMaximum") },
  };
  if (Object.values(bounds).every((value) => value === undefined)) return type;
  const rule = type === "integer" ? integersWithin(bounds) : numbersWithin(bounds);
  if (rule === null) return maker.refuse(path, "no number lies between its bounds that could be written");
  return maker.name("within", rule);
}
