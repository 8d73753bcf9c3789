/** The Responses API over HTTP, through the official client and by hand, against a `Live` in memory. */
import { describe, expect, it } from "vitest";
import { errorOf, post, type StartedServer, startServer } from "./start-server";

const hello = { model: "default", input: "hello there" };

describe("a response", () => {
  it("comes whole through the official client, with usage and the request's id", async () => {
    const { client } = await startServer({ answers: ["It ", "snows."] });
    const { data, request_id } = await client.responses.create(hello).withResponse();
    expect(data).toMatchObject({ object: "response", status: "completed", output_text: "It snows.", model: "default" });
    expect(data.usage).toMatchObject({ output_tokens: 2, input_tokens_details: { cached_tokens: 3 } });
    expect(request_id).toMatch(/^req_/);
  });

  it("comes as a stream that the official client puts together again", async () => {
    const { client } = await startServer({ answers: ["<think>Hm.</think>", "It ", "snows."] });
    const stream = client.responses.stream(hello);
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    const final = await stream.finalResponse();
    expect(final.output_text).toBe("It snows.");
    expect(final.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
  });

  it("is incomplete when it was cut off", async () => {
    const { client } = await startServer({ answers: ["It ", "snows."] });
    const response = await client.responses.create({ ...hello, max_output_tokens: 1 });
    expect(response).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  });

  it("is cancelled when its client hangs up", async () => {
    const { client, live } = await startServer();
    const stream = await client.responses.create({ ...hello, stream: true });
    const request = await live.submitted();
    stream.controller.abort();
    await live.when(() => request.ended);
    expect(live.cancelled).toHaveLength(1);
  });

  it("fails within its stream when the engine does", async () => {
    const { client, live } = await startServer();
    const stream = await client.responses.create({ ...hello, stream: true });
    const request = await live.submitted();
    request.admit();
    request.text("It");
    request.fail("It broke.");
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "server_error" }, output: [{ status: "incomplete" }] },
    });
  });
});

describe("a prompt that is too long", () => {
  const long = { ...hello, input: "word ".repeat(5_000) };

  it("is a plain error for a whole answer", async () => {
    const { url } = await startServer({ answers: ["a"] });
    const response = await post(`${url}/responses`, long);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: "context_length_exceeded" });
  });

  it("is told in the stream, where Codex looks for it", async () => {
    const { client } = await startServer({ answers: ["a"] });
    const events = [];
    for await (const event of await client.responses.create({ ...long, stream: true })) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(["response.created", "response.in_progress", "response.failed"]);
    expect(events[2]).toMatchObject({ response: { error: { code: "context_length_exceeded" } } });
  });
});

describe("a stored response", () => {
  const sent = ({ live }: StartedServer, index: number) => {
    const source = live.encoded[index];
    return source?.kind === "chat" ? source.messages.map(({ role, content }) => `${role}: ${content}`) : [];
  };

  it("is gone on from, with what was said but not with its instructions", async () => {
    const server = await startServer({ answers: ["Hi."] });
    const first = await server.client.responses.create({ ...hello, instructions: "Be brief." });
    const again = { model: "default", input: "again", previous_response_id: first.id };
    expect((await server.client.responses.create(again)).previous_response_id).toBe(first.id);
    expect(sent(server, 1)).toEqual(["user: hello there", "assistant: Hi.", "user: again"]);
  });

  it("is found, listed and deleted", async () => {
    const { client, url } = await startServer({ answers: ["Hi."] });
    const { id } = await client.responses.create(hello);
    expect((await client.responses.retrieve(id)).output_text).toBe("Hi.");
    const items = await client.responses.inputItems.list(id);
    expect(items.data).toMatchObject([{ type: "message", content: [{ type: "input_text", text: "hello there" }] }]);
    await client.responses.delete(id);
    expect(await errorOf(await fetch(`${url}/responses/${id}`))).toMatchObject({ code: "response_not_found" });
    const gone = await post(`${url}/responses`, { ...hello, previous_response_id: id });
    expect(gone.status).toBe(400);
    expect(await errorOf(gone)).toMatchObject({ code: "previous_response_not_found", param: "previous_response_id" });
  });

  it("is deleted by a client that names the type of the body it does not send", async () => {
    const { client, url } = await startServer({ answers: ["Hi."] });
    const { id } = await client.responses.create(hello);
    const headers = { "content-type": "application/json" };
    const deleted = await fetch(`${url}/responses/${id}`, { method: "DELETE", headers });
    expect(await deleted.json()).toEqual({ id, object: "response", deleted: true });
  });

  it("is not kept with store: false", async () => {
    const { client, url } = await startServer({ answers: ["Hi."] });
    const { id } = await client.responses.create({ ...hello, store: false });
    expect((await fetch(`${url}/responses/${id}`)).status).toBe(404);
  });
});

describe("a background response", () => {
  it("is queued at once, found while it is made and when it is done", async () => {
    const { client, live } = await startServer();
    const { id, status } = await client.responses.create({ ...hello, background: true });
    expect(status).toBe("queued");
    const request = await live.submitted();
    request.admit();
    expect((await client.responses.retrieve(id)).status).toBe("in_progress");
    request.text("Hi.");
    request.finish();
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "completed", output_text: "Hi." });
  });

  it("is cancelled by its id, others are not", async () => {
    const { client, live } = await startServer();
    const { id } = await client.responses.create({ ...hello, background: true });
    const request = await live.submitted();
    expect((await client.responses.cancel(id)).status).toBe("cancelled");
    expect(request.ended).toBe(true);
    expect((await client.responses.retrieve(id)).status).toBe("cancelled");
    const done = client.responses.create(hello);
    (await live.submitted(2)).finish();
    await expect(client.responses.cancel((await done).id)).rejects.toMatchObject({ status: 400 });
  });

  it("ends when the server closes", async () => {
    const { client, live, server } = await startServer();
    await client.responses.create({ ...hello, background: true });
    const request = await live.submitted();
    await server.close();
    expect(request.ended).toBe(true);
  });
});

it("counts the tokens of an input without running it", async () => {
  const { client, live } = await startServer();
  expect(await client.responses.inputTokens.count(hello)).toEqual({ object: "response.input_tokens", input_tokens: 3 });
  expect(live.requests).toHaveLength(0);
});
