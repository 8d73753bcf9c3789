/** A page of a response's input items, as the API's lists are: newest first unless asked otherwise, from behind an id on. */
import { z } from "zod";
import { ApiError } from "../api-error";
import type { InputItem } from "./input-items";

const querySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(["asc", "desc"]).default("desc"),
  after: z.string().optional(),
});

export function listItems(items: readonly InputItem[], query: Readonly<Record<string, unknown>>): object {
  const read = querySchema.safeParse(query);
  if (!read.success) {
    const param = String(read.error.issues[0]?.path[0] ?? "query");
    throw new ApiError("invalid_value", `Wrong value for '${param}': ${read.error.issues[0]?.message}.`, { param });
  }
  const { limit, order, after } = read.data;
  const named = items.map(withId);
  const ordered = order === "asc" ? named : named.toReversed();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) {
    throw new ApiError("invalid_value", `There is no item '${after}'.`, { param: "after" });
  }
  const data = ordered.slice(from, from + limit);
  return {
    object: "list",
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  };
}

/** Items that came without an id get one by their place, which never changes. */
function withId(item: InputItem, index: number): InputItem & { readonly id: string } {
  const { type = "message", content } = item;
  const prefix = { message: "msg", reasoning: "rs", function_call: "fc" }[type] ?? "item";
  return {
    ...item,
    type,
    ...(typeof content === "string" ? { content: [{ type: textType(item), text: content }] } : {}),
    id: typeof item.id === "string" ? item.id : `${prefix}_${index}`,
  };
}

function textType({ role }: InputItem): string {
  return role === "assistant" ? "output_text" : "input_text";
}
