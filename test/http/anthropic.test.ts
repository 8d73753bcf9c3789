/** Anthropic's Messages API over HTTP, through the official client and by hand, against a `Live` in memory. */
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { post, type StartedServer, type StartOptions, startServer } from "./start-server";

const hello = { model: "default", max_tokens: 100, messages: [{ role: "user" as const, content: "hello there" }] };

async function start(options: StartOptions = {}): Promise<StartedServer & { readonly anthropic: Anthropic }> {
  const server = await startServer(options);
  return { ...server, anthropic: new Anthropic({ baseURL: server.origin, apiKey: "key", maxRetries: 0 }) };
}

describe("a message", () => {
  it("comes whole through the official client, cached tokens counted apart", async () => {
    const { anthropic } = await start({ answers: ["<think>Hm.</think>", "It ", "snows."] });
    const message = await anthropic.messages.create(hello);
    expect(message).toMatchObject({
      ...{ type: "message", role: "assistant", model: "default", stop_reason: "end_turn", stop_sequence: null },
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "It snows." },
      ],
      usage: { cache_read_input_tokens: 3, input_tokens: 0, output_tokens: 3 },
    });
    expect(message._request_id).toMatch(/^req_/);
  });

  it("comes as a stream that the official client puts together again", async () => {
    const { anthropic } = await start({ answers: ["<think>Hm.</think>", "It ", "snows."] });
    const stream = anthropic.messages.stream(hello);
    const types = new Set<string>();
    for await (const { type } of stream) types.add(type);
    const message = await stream.finalMessage();
    expect(message.content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    expect([...types]).toEqual([
      ...["message_start", "content_block_start", "content_block_delta", "content_block_stop"],
      ...["message_delta", "message_stop"],
    ]);
  });

  it("names the stop sequence that ended it", async () => {
    const { anthropic, live } = await start();
    const answer = anthropic.messages.create({ ...hello, stop_sequences: ["END"] });
    const request = await live.submitted();
    expect(request.spec.stop).toEqual(["END"]);
    request.admit();
    request.finish("stop_text", {}, "END");
    expect(await answer).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  it("says ping while nothing happens", async () => {
    const { origin, live } = await start({ http: { timing: { keepAliveMs: 20 } } });
    const response = await post(`${origin}/v1/messages?beta=true`, { ...hello, stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: ping")) text += (await reader?.read())?.value ?? "";
    expect(text).toContain('data: {"type":"ping"}');
    (await live.submitted()).finish();
    await reader?.cancel();
  });

  it("counts its tokens without running it", async () => {
    const { anthropic, live } = await start();
    const { model, messages } = hello;
    expect(await anthropic.messages.countTokens({ model, messages })).toEqual({ input_tokens: 3 });
    expect(live.requests).toHaveLength(0);
  });

  it("of Claude Code leads to its session, without the billing line", async () => {
    const { origin, live } = await start({ answers: ["Hi."] });
    const billing = "x-anthropic-billing-header: cc_version=2.1.332.fe2; cc_entrypoint=sdk-cli; cc_is_subagent=true;";
    const system = [
      { type: "text", text: billing },
      { type: "text", text: "You are Claude Code.", cache_control: { type: "ephemeral" } },
    ];
    const metadata = { user_id: JSON.stringify({ device_id: "D", account_uuid: "", session_id: "U1" }) };
    const headers = {
      ...{ "user-agent": "claude-cli/2.1.332 (external, sdk-cli)", "anthropic-version": "2023-06-01" },
      ...{ "x-claude-code-session-id": "U1", "x-claude-code-agent-id": "a2", "x-claude-code-agent-type": "scout" },
    };
    const messages = [...hello.messages, { role: "system", content: "The date is known." }];
    const tools = [{ name: "Bash", description: "Runs.", input_schema: { type: "object" } }];
    const body = { ...hello, messages, system, metadata, tools, tool_choice: { type: "none" }, stream: true };
    const response = await post(`${origin}/v1/messages?beta=true`, body, headers);
    expect(await response.text()).toContain("message_stop");
    const source = live.encoded[0];
    expect(source?.kind === "chat" && source.messages).toEqual([
      { role: "system", content: "You are Claude Code." },
      { role: "user", content: "hello there\n\nThe date is known." },
    ]);
    expect(live.requests[0]?.spec).toMatchObject({ taskId: "U1", agent: "claude-code:scout" });
  });
});

describe("an error", () => {
  it("has Anthropic's shape and the request's id", async () => {
    const { origin } = await start();
    const response = await post(`${origin}/v1/messages`, { ...hello, max_tokens: "ten" });
    expect(response.status).toBe(400);
    const requestId = response.headers.get("request-id");
    expect(await response.json()).toEqual({
      type: "error",
      error: { type: "invalid_request_error", message: expect.stringContaining("max_tokens") },
      request_id: requestId,
    });
    expect(requestId).toMatch(/^req_/);
  });

  it("is raised by the official client as its own kind", async () => {
    const { anthropic } = await start();
    await expect(anthropic.messages.create({ ...hello, model: "gpt" })).rejects.toBeInstanceOf(Anthropic.NotFoundError);
    const long = { ...hello, messages: [{ role: "user" as const, content: "word ".repeat(5_000) }] };
    await expect(anthropic.messages.create(long)).rejects.toThrow(/prompt is too long: \d+ tokens > \d+ maximum/);
  });

  it("in an open stream is an event", async () => {
    const { anthropic, live } = await start();
    const stream = anthropic.messages.stream(hello);
    const request = await live.submitted();
    request.admit();
    request.text("It");
    request.fail("It broke.");
    await expect(stream.finalMessage()).rejects.toMatchObject({ error: { error: { type: "api_error" } } });
  });

  it("asks for the key, which is taken as x-api-key and as Bearer", async () => {
    const { origin } = await start({ answers: ["Hi."], http: { apiKey: "secret" } });
    const status = async (headers: Record<string, string>) =>
      (await post(`${origin}/v1/messages`, hello, headers)).status;
    expect(await status({})).toBe(401);
    expect(await status({ "x-api-key": "secret" })).toBe(200);
    expect(await status({ authorization: "Bearer secret" })).toBe(200);
    const refused = await post(`${origin}/v1/messages`, hello, { "x-api-key": "other" });
    expect(await refused.json()).toMatchObject({ error: { type: "authentication_error" } });
  });
});

it("shows the model as Anthropic does to who speaks its API, and as OpenAI does to others", async () => {
  const { anthropic, client, origin } = await start();
  const models = await anthropic.models.list();
  expect(models.data).toMatchObject([{ type: "model", id: (await client.models.list()).data[0]?.id }]);
  expect(await anthropic.models.retrieve("default")).toMatchObject({ type: "model", lifecycle: "active" });
  expect((await fetch(origin, { method: "HEAD" })).status).toBe(200);
});
