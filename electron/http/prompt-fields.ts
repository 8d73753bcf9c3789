/** Texts and lists of tokens as OpenAI's completions and embeddings take them: one or several, never both kinds. */
import { z } from "zod";
import { ApiError } from "./api-error";

/** Read by `givenPrompts`: lists may be long, and only the first thing that is wrong with one matters. */
export const promptField = z
  .unknown()
  .meta({ description: "A text, several texts, a list of tokens, or several lists of tokens" });

export type GivenPrompt =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tokens"; readonly tokens: readonly number[] };

/** At most so many texts or lists of tokens. */
export function givenPrompts(value: unknown, param: string, most: number): GivenPrompt[] {
  if (value === undefined || value === null) {
    throw new ApiError("missing_required_parameter", `Missing required parameter: '${param}'.`, { param });
  }
  if (typeof value === "string") return [{ kind: "text", text: value }];
  if (!Array.isArray(value)) throw wrong(param, "expected string or array");
  if (value.length === 0) throw wrong(param, "the list is empty");
  if (typeof value[0] === "number") return [{ kind: "tokens", tokens: tokensOf(value, param) }];
  if (value.length > most) throw wrong(param, `at most ${most} are possible`);
  const isText = typeof value[0] === "string";
  return value.map((each: unknown, index): GivenPrompt => {
    const place = `${param}.${index}`;
    if (typeof each === "string" && isText) return { kind: "text", text: each };
    if (Array.isArray(each) && !isText) return { kind: "tokens", tokens: tokensOf(each, place) };
    throw wrong(place, isText ? "expected string, as the first is" : "expected a list of tokens");
  });
}

function tokensOf(list: readonly unknown[], param: string): number[] {
  return list.map((token, index) => {
    if (typeof token === "number" && Number.isSafeInteger(token) && token >= 0) return token;
    throw wrong(`${param}.${index}`, "tokens are whole numbers from 0 on");
  });
}

function wrong(param: string, reason: string): ApiError {
  return new ApiError("invalid_value", `Wrong value for '${param}': ${reason}.`, { param });
}
