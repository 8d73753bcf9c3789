/** The store of responses keeps within its bounds, the list of items pages, and a request finds the items it stands for. */
import { describe, expect, it } from "vitest";
import { listItems } from "../../electron/http/responses/item-list";
import { resolveItems } from "../../electron/http/responses/resolve-items";
import { readResponseBody } from "../../electron/http/responses/response-body";
import { ResponseStore } from "../../electron/http/responses/response-store";

function stored(id: string, words = "hello", status: "completed" | "queued" = "completed") {
  const output = [{ id: `msg_${id}`, type: "message", role: "assistant", content: "hi" }];
  return { response: { id, status, output }, input: [{ role: "user", content: words }] };
}

describe("the store", () => {
  it("lets the one go that was not used for longest", () => {
    const store = new ResponseStore({ responses: 2, bytes: 10_000 });
    store.put(stored("a"));
    store.put(stored("b"));
    store.get("a");
    store.put(stored("c"));
    expect(["a", "b", "c"].map((id) => store.get(id) !== null)).toEqual([true, false, true]);
  });

  it("counts bytes, and keeps nothing that is too big alone", () => {
    const store = new ResponseStore({ responses: 10, bytes: 1_000 });
    store.put(stored("a", "x".repeat(500)));
    store.put(stored("b", "x".repeat(500)));
    expect([store.get("a"), store.get("b")?.response.id]).toEqual([null, "b"]);
    store.put(stored("c", "x".repeat(2_000)));
    expect([store.get("c"), store.get("b")?.response.id]).toEqual([null, "b"]);
  });

  it("counts a response once however often it is put, and forgets it when it is deleted", () => {
    const store = new ResponseStore({ responses: 10, bytes: 1_000 });
    for (let round = 0; round < 20; round += 1) store.put(stored("a", "x".repeat(500)));
    expect(store.get("a")).not.toBeNull();
    expect([store.delete("a"), store.delete("a"), store.get("a")]).toEqual([true, false, null]);
  });
});

describe("the items of a request", () => {
  const store = new ResponseStore();
  store.put(stored("resp_a"));
  store.put(stored("resp_q", "hello", "queued"));
  const resolve = (fields: object) => resolveItems(store, readResponseBody({ model: "m", ...fields }));

  it("go on from the response before it, its output included", () => {
    const items = resolve({ previous_response_id: "resp_a", input: "again" });
    expect(items.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    const reference = [{ type: "item_reference", id: "msg_resp_a" }];
    expect(resolve({ previous_response_id: "resp_a", input: reference })[2]).toBe(items[1]);
  });

  it("are refused where there is no such response, or it is not finished", () => {
    const missing = expect.objectContaining({ code: "previous_response_not_found", status: 400 });
    expect(() => resolve({ previous_response_id: "resp_x", input: "again" })).toThrow(missing);
    expect(() => resolve({ previous_response_id: "resp_q", input: "again" })).toThrow(/not finished/);
    expect(() => resolve({ input: [{ type: "item_reference", id: "msg_x" }] })).toThrow(/not found/);
  });
});

describe("the list of items", () => {
  const items = ["one", "two", "three"].map((content) => ({ role: "user", content }));
  type Page = { data: { id: string; content: { text: string }[] }[]; has_more: boolean };
  const texts = (query: object) => (listItems(items, { ...query }) as Page).data.map(({ content }) => content[0]?.text);

  it("is newest first, in pages", () => {
    expect(texts({})).toEqual(["three", "two", "one"]);
    const first = listItems(items, { limit: "2", order: "asc" }) as Page & { last_id: string };
    expect(first).toMatchObject({ object: "list", has_more: true });
    expect(texts({ order: "asc", after: first.last_id })).toEqual(["three"]);
    expect(() => listItems(items, { after: "x" })).toThrow(/no item/);
    expect(() => listItems(items, { limit: "0" })).toThrow(/limit/);
  });
});
