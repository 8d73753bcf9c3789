/** The user's acts over HTTP, on the real scheduler with a scripted engine: pause, move up, cancel, pin, each with its undo. */
import { describe, expect, it } from "vitest";
import { ask, gated, serveScripted, until } from "./scripted-server";
import { errorOf, post } from "./start-server";

const call = (url: string, method: string) => fetch(url, { method });
const json = async (answer: Promise<Response>) => (await answer).json();

describe("acts on the queue", () => {
  it("pause it, move a request up and back, and resume it", async () => {
    const { url, live } = await serveScripted({ slots: 1 });
    expect(await json(call(`${url}/queue/pause`, "POST"))).toEqual({
      ...{ object: "queue", paused: true, undo: "POST /v1/queue/resume" },
    });
    expect(await json(call(`${url}/queue/pause`, "POST"))).toMatchObject({ paused: true });
    const names = ["a", "b", "c"];
    const open = names.map((id) => post(`${url}/chat/completions`, ask(id, 5), { "x-request-id": id }));
    await until(() => names.every((id) => live.view.queue.some(({ requestId }) => requestId === id)));
    const moved = await json(call(`${url}/requests/c/move-up`, "POST"));
    expect(moved).toEqual({
      object: "request",
      request_id: "c",
      moved_up: true,
      undo: "DELETE /v1/requests/c/move-up",
    });
    const queue = (await json(fetch(`${url}/queue`))) as { paused: boolean; data: Record<string, unknown>[] };
    expect(queue.paused).toBe(true);
    expect(queue.data[0]).toMatchObject({ request_id: "c", moved_up: true, reason: { code: "PAUSED" } });
    expect(await json(call(`${url}/requests/c/move-up`, "DELETE"))).toMatchObject({ moved_up: false });
    const again = await call(`${url}/requests/c/move-up`, "DELETE");
    expect(again.status).toBe(409);
    expect(await errorOf(again)).toMatchObject({ code: "act_not_possible", message: "Request c was not moved up." });
    await call(`${url}/requests/c/move-up`, "POST");
    await call(`${url}/queue/resume`, "POST");
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const explained = (await json(fetch(`${url}/requests/c/explain`))) as Record<string, unknown>;
    expect(explained.admitted_because).toContain("moved up by the user");
  });

  it("cancel a request, and its client is told", async () => {
    const { script, open } = gated();
    const { url, live } = await serveScripted({ slots: 1, script });
    const waiting = post(`${url}/chat/completions`, ask("a", 5), { "x-request-id": "a" });
    await until(() => live.view.requests.a !== undefined);
    expect(await json(call(`${url}/requests/a/cancel`, "POST"))).toMatchObject({ request_id: "a", cancelled: true });
    open();
    const answer = await waiting;
    expect(answer.status).toBe(500);
    expect((await errorOf(answer)).message).toContain("Cancelled over the API.");
    expect((await call(`${url}/requests/a/cancel`, "POST")).status).toBe(404);
  });

  it("pin an agent's prefix, list it, and unpin it", async () => {
    const { url } = await serveScripted({ slots: 2 });
    expect((await call(`${url}/pins/writer`, "PUT")).status).toBe(404);
    for (const agent of ["writer", "team/coder"]) {
      await post(`${url}/chat/completions`, ask(agent, 5), { "x-agent": agent });
    }
    const pin = { object: "pin", agent: "team/coder", resident: true, undo: "DELETE /v1/pins/team%2Fcoder" };
    expect(await json(call(`${url}/pins/team%2Fcoder`, "PUT"))).toEqual(pin);
    expect(await json(fetch(`${url}/pins`))).toEqual({ object: "list", data: [pin] });
    const tooMany = await call(`${url}/pins/writer`, "PUT");
    expect(tooMany.status).toBe(409);
    expect((await errorOf(tooMany)).message).toContain("one slot has to stay free for everybody else");
    expect(await json(call(`${url}/pins/team%2Fcoder`, "DELETE"))).toMatchObject({ deleted: true });
    expect(await json(fetch(`${url}/pins`))).toEqual({ object: "list", data: [] });
  });
});
