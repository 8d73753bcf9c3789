/** The events and objects of Anthropic's API that a generation becomes, in their exact order. */
import { describe, expect, it } from "vitest";
import { anthropicError, anthropicStatus } from "../../electron/http/anthropic/anthropic-error";
import { MessageStream } from "../../electron/http/anthropic/message-stream";
import { MessageWhole } from "../../electron/http/anthropic/message-whole";
import { ApiError } from "../../electron/http/api-error";
import type { WrittenEvent } from "../../electron/http/generation/answer-writer";
import type { GenerationFinish } from "../../electron/http/generation/generation-event";
import { eventsOf } from "../support/sse-text";

const head = { messageId: "msg_1", model: "m" };
const usage = {
  ...{ promptTokens: 10, completionTokens: 6, cachedTokens: 4, reasoningTokens: 2 },
  ...{ queueMs: 0, ttftMs: 0, durationMs: 0 },
};

function finished(reason: GenerationFinish, stopText: string | null = null): WrittenEvent {
  return { kind: "finished", choice: 0, reason, stopText, usage };
}

const round: readonly WrittenEvent[] = [
  { kind: "admitted", choice: 0 },
  { kind: "reasoning", choice: 0, text: "Hm" },
  { kind: "reasoning", choice: 0, text: "m." },
  { kind: "text", choice: 0, text: "Let me see." },
  { kind: "toolCallStart", choice: 0, index: 0, id: "toolu_1", name: "weather" },
  { kind: "toolCallArguments", choice: 0, index: 0, delta: '{"city":' },
  { kind: "toolCallArguments", choice: 0, index: 0, delta: '"Bern"}' },
  { kind: "toolCallStart", choice: 0, index: 1, id: "toolu_2", name: "now" },
  { kind: "toolCallArguments", choice: 0, index: 1, delta: "{}" },
  finished("tool_calls"),
];

function streamed(events: readonly WrittenEvent[]) {
  const stream = new MessageStream(head, "req_1", () => ({ promptTokens: 10, cachedTokens: 4 }));
  return eventsOf(stream.open() + events.map((event) => stream.write(event)).join("") + stream.end(usage));
}

function whole(events: readonly WrittenEvent[]) {
  const writer = new MessageWhole(head, "req_1");
  for (const event of events) writer.take(event);
  return writer.body(usage);
}

describe("a streamed message", () => {
  it("opens, fills and closes one block after the other", () => {
    const events = streamed(round);
    expect(events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
      "message_start",
      ...["content_block_start 0", "content_block_delta 0", "content_block_delta 0", "content_block_delta 0"],
      "content_block_stop 0",
      ...["content_block_start 1", "content_block_delta 1", "content_block_stop 1"],
      ...["content_block_start 2", "content_block_delta 2", "content_block_delta 2", "content_block_stop 2"],
      ...["content_block_start 3", "content_block_delta 3", "content_block_stop 3"],
      "message_delta",
      "message_stop",
    ]);
    expect(events.flatMap(({ delta }) => (delta === undefined ? [] : [delta])).slice(0, 6)).toEqual([
      { type: "thinking_delta", thinking: "Hm" },
      { type: "thinking_delta", thinking: "m." },
      { type: "signature_delta", signature: expect.stringMatching(/.+/) },
      { type: "text_delta", text: "Let me see." },
      { type: "input_json_delta", partial_json: '{"city":' },
      { type: "input_json_delta", partial_json: '"Bern"}' },
    ]);
  });

  it("counts cached tokens apart, at its start and at its end", () => {
    const events = streamed(round);
    expect(events[0]).toMatchObject({
      message: { usage: { input_tokens: 6, cache_read_input_tokens: 4, cache_creation_input_tokens: 0 } },
    });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 6 },
    });
  });

  it("is whole without a single token", () => {
    expect(streamed([finished("stop")]).map(({ type }) => type)).toEqual([
      "message_start",
      "message_delta",
      "message_stop",
    ]);
  });

  it("tells a failure and silence by events of their own", () => {
    const stream = new MessageStream(head, "req_1", () => ({ promptTokens: 1, cachedTokens: 0 }));
    expect(eventsOf(stream.keepAlive())).toEqual([{ event: "ping", type: "ping" }]);
    expect(eventsOf(stream.fail(new ApiError("engine_failure", "It broke.")))).toEqual([
      { event: "error", type: "error", error: { type: "api_error", message: "It broke." }, request_id: "req_1" },
    ]);
  });
});

describe("a whole message", () => {
  it("holds the same blocks", () => {
    expect(whole(round)).toMatchObject({
      ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "tool_use", stop_sequence: null },
      content: [
        { type: "thinking", thinking: "Hmm.", signature: expect.stringMatching(/.+/) },
        { type: "text", text: "Let me see." },
        { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Bern" } },
        { type: "tool_use", id: "toolu_2", name: "now", input: {} },
      ],
      usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 6 },
    });
  });

  it.each([
    [finished("stop"), "end_turn", null],
    [finished("stop", "END"), "stop_sequence", "END"],
    [finished("length"), "max_tokens", null],
  ])("says why it ended", (event, stop_reason, stop_sequence) => {
    expect(whole([event])).toMatchObject({ stop_reason, stop_sequence });
  });

  it("has an empty input where a call was cut off", () => {
    expect(whole([...round.slice(4, 6), finished("length")])).toMatchObject({
      content: [{ type: "tool_use", input: {} }],
      stop_reason: "max_tokens",
    });
  });
});

it.each([
  ["invalid_value", 400, "invalid_request_error"],
  ["invalid_api_key", 401, "authentication_error"],
  ["foreign_host", 403, "permission_error"],
  ["model_not_found", 404, "not_found_error"],
  ["request_too_large", 413, "request_too_large"],
  ["queue_full", 429, "rate_limit_error"],
  ["engine_failure", 500, "api_error"],
  ["model_loading", 529, "overloaded_error"],
] as const)("names %s as Anthropic does", (code, status, type) => {
  const error = new ApiError(code, "No.");
  expect(anthropicStatus(error)).toBe(status);
  expect(anthropicError(error, "req_1")).toEqual({
    type: "error",
    error: { type, message: "No." },
    request_id: "req_1",
  });
});

it("says that a prompt is too long in the words Claude Code compacts at", () => {
  const error = new ApiError("context_length_exceeded", "x", { extra: { n_prompt_tokens: 9000, n_ctx: 8192 } });
  expect(anthropicError(error, "r").error.message).toMatch(/^prompt is too long: 9000 tokens > 8192 maximum$/);
});
