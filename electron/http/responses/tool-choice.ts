/** `tool_choice` of the Responses API in neutral words. */
import { z } from "zod";
import { ApiError } from "../api-error";
import type { GenerationTool, ToolChoice } from "../generation/generation-request";
import { absent } from "../zod-absent";
import { modelName, type ToolBook } from "./tool-book";

const namedTool = z.looseObject({ type: z.string(), name: absent(z.string()), namespace: absent(z.string()) });

export const choiceSchema = z.union([
  z.enum(["none", "auto", "required"]),
  namedTool.extend({ mode: absent(z.enum(["auto", "required"])), tools: absent(z.array(namedTool)) }),
]);

export interface ReadChoice {
  readonly choice: ToolChoice;
  /** Those the model may call; fewer than there are only with `allowed_tools`. */
  readonly tools: readonly GenerationTool[];
}

export function readChoice(wanted: z.output<typeof choiceSchema> | undefined, book: ToolBook): ReadChoice {
  if (wanted === undefined) return { choice: { kind: "auto" }, tools: book.tools };
  if (typeof wanted === "string") return { choice: needsTools(wanted, book.tools), tools: book.tools };
  if (wanted.type !== "allowed_tools") {
    return { choice: { kind: "named", name: nameOf(wanted, book, "tool_choice") }, tools: book.tools };
  }
  const names = (wanted.tools ?? [])
    // Tools that were dropped may be allowed in vain.
    .filter(({ type }) => !book.dropped.includes(type))
    .map((tool, index) => nameOf(tool, book, `tool_choice.tools.${index}`));
  const tools = book.tools.filter(({ name }) => names.includes(name));
  return { choice: needsTools(wanted.mode ?? "auto", tools), tools };
}

function needsTools(kind: "none" | "auto" | "required", tools: readonly GenerationTool[]): ToolChoice {
  if (kind !== "required" || tools.length > 0) return { kind };
  const message = "'tool_choice' asks for a tool, but there is none that can be called here.";
  throw new ApiError("invalid_value", message, { param: "tool_choice" });
}

function nameOf({ type, name, namespace }: z.output<typeof namedTool>, book: ToolBook, param: string): string {
  const wanted = name === undefined ? type : modelName(name, namespace);
  if (book.has(wanted)) return wanted;
  const message = `'${param}' names the tool '${wanted}', which is not among those that can be called here.`;
  throw new ApiError("invalid_value", message, { param });
}
