/** What zod found wrong, in this project's words and with paths as people write them. */
import type { z } from "zod";
import type { Problem } from "../../core/sim/workload/problem";

/** For `safeParse`'s option `error`. Undefined leaves zod's own sentence. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys")
    return issue.keys.length === 1
      ? `There is no field ${listed(issue.keys)} here.`
      : `There are no fields ${listed(issue.keys)} here.`;
  if (issue.input === undefined) return "This field is missing.";
  switch (issue.code) {
    case "invalid_type":
      return `This must be ${article(issue.expected)}${found(issue.input)}.`;
    case "too_small":
      return issue.origin === "number" || issue.origin === "int"
        ? `This must be ${issue.inclusive ? "" : "more than "}${issue.minimum}${issue.inclusive ? " or more" : ""}${found(issue.input)}.`
        : "There must be something in here.";
    case "too_big":
      return issue.origin === "number" || issue.origin === "int"
        ? `This must be ${issue.maximum} or less${found(issue.input)}.`
        : `There may be at most ${issue.maximum} in here.`;
    case "invalid_union":
      return unionSentence(issue);
    case "invalid_value":
      return `This must be ${choice(issue.values)}${found(issue.input)}.`;
    default:
      return undefined;
  }
}

/** A `kind` that there is not; zod gives the whole object it stands in. */
function unionSentence({ discriminator, options, input }: Union): string | undefined {
  if (discriminator === undefined || options === undefined) return undefined;
  const kind = typeof input === "object" && input !== null ? Reflect.get(input, discriminator) : input;
  return kind === undefined ? "This field is missing." : `This must be ${choice(options)}${found(kind)}.`;
}

interface Union {
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[];
  readonly input?: unknown;
}

export function problemsOf(error: z.ZodError): readonly Problem[] {
  return error.issues.map(({ path, message }) => ({ path: pathText(path), message }));
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

const articles: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  tuple: "a list of two numbers",
  object: "an object",
};

const article = (expected: string) => articles[expected] ?? expected;

function found(input: unknown): string {
  if (input === null) return ", not null";
  if (Array.isArray(input)) return ", not a list";
  if (typeof input === "object") return ", not an object";
  return `, not ${JSON.stringify(input)}`;
}

function choice(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === "string" ? `"${value}"` : String(value))).join(" or ");
}

function listed(keys: readonly string[]): string {
  return keys.map((key) => `"${key}"`).join(", ");
}
