/** All items that a request stands for: those of the response it goes on from, its own, and those it only refers to. */
import { ApiError } from "../api-error";
import type { InputItem } from "./input-items";
import type { ResponseBody } from "./response-body";
import type { ResponseStore, StoredResponse } from "./response-store";

export function resolveItems(store: ResponseStore, { fields, input }: ResponseBody): InputItem[] {
  const before = previous(store, fields.previous_response_id);
  const known = before === null ? [] : [...before.input, ...(before.response.output as InputItem[])];
  return [...known, ...input.map((item, index) => referred(item, known, index))];
}

function previous(store: ResponseStore, id: string | undefined): StoredResponse | null {
  if (id === undefined) return null;
  const param = "previous_response_id";
  const stored = store.get(id);
  if (stored === null) {
    const message = `Previous response with id '${id}' not found. It was never stored here, was deleted, or had to make room.`;
    throw new ApiError("previous_response_not_found", message, { param });
  }
  const { status } = stored.response;
  if (status === "queued" || status === "in_progress") {
    const message = `The response '${id}' is not finished yet; wait for it before going on from it.`;
    throw new ApiError("invalid_value", message, { param });
  }
  return stored;
}

function referred(item: InputItem, known: readonly InputItem[], index: number): InputItem {
  if (item.type !== "item_reference") return item;
  const found = known.find((other) => other.id === item.id);
  if (found !== undefined) return found;
  const message = `Item with id '${String(item.id)}' not found. Send the item itself, or 'previous_response_id' with its response.`;
  throw new ApiError("invalid_value", message, { param: `input.${index}.id` });
}
