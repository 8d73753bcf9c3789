/** The events and objects of the Responses API that a generation becomes, in their exact order. */
import { describe, expect, it } from "vitest";
import { ApiError } from "../../electron/http/api-error";
import type { WrittenEvent } from "../../electron/http/generation/answer-writer";
import type { GenerationFinish } from "../../electron/http/generation/generation-event";
import { readResponseBody } from "../../electron/http/responses/response-body";
import { ResponseMaker } from "../../electron/http/responses/response-maker";
import type { ResponseObject } from "../../electron/http/responses/response-object";
import { ResponseStream } from "../../electron/http/responses/response-stream";
import { ResponseWhole } from "../../electron/http/responses/response-whole";
import { eventsOf } from "../support/sse-text";

const usage = {
  ...{ promptTokens: 10, completionTokens: 6, cachedTokens: 4, reasoningTokens: 2 },
  ...{ queueMs: 0, ttftMs: 0, durationMs: 0 },
};
const fields = {
  ...{ model: "m", input: "hello", metadata: { a: "b" } },
  tools: [
    { type: "function", name: "weather", parameters: {} },
    { type: "namespace", name: "crew", description: "", tools: [{ type: "function", name: "spawn" }] },
    { type: "custom", name: "patch" },
    { type: "local_shell" },
  ],
};

const text = (words: string): WrittenEvent => ({ kind: "text", choice: 0, text: words });
const thought = (words: string): WrittenEvent => ({ kind: "reasoning", choice: 0, text: words });

function call(index: number, name: string, ...deltas: string[]): WrittenEvent[] {
  const args = deltas.map((delta) => ({ kind: "toolCallArguments", choice: 0, index, delta }) as const);
  return [{ kind: "toolCallStart", choice: 0, index, id: `call_${index}`, name }, ...args];
}

function finished(reason: GenerationFinish): WrittenEvent {
  return { kind: "finished", choice: 0, reason, stopText: null, usage };
}

function maker(more: object = {}): ResponseMaker {
  return new ResponseMaker({ id: "resp_1", createdAt: 100, body: readResponseBody({ ...fields, ...more }) });
}

function streamed(events: readonly WrittenEvent[], more: object = {}) {
  const ended: ResponseObject[] = [];
  const stream = new ResponseStream(maker(more), (response) => void ended.push(response));
  const read = eventsOf(stream.open() + events.map((event) => stream.write(event)).join("") + stream.end(usage));
  expect(read.map(({ sequence_number }) => sequence_number)).toEqual(read.map((_, index) => index));
  expect(read.every(({ event, type }) => event === type)).toBe(true);
  expect(ended).toEqual([read.at(-1)?.response]);
  return read;
}

const short = (events: { type?: string }[]) => events.map(({ type }) => type?.replace("response.", ""));

describe("a streamed response", () => {
  it("of a text goes from created to completed", () => {
    const events = streamed([{ kind: "admitted", choice: 0 }, text("It "), text("snows."), finished("stop")]);
    expect(short(events)).toEqual([
      ...["created", "in_progress", "output_item.added", "content_part.added"],
      ...["output_text.delta", "output_text.delta", "output_text.done", "content_part.done", "output_item.done"],
      "completed",
    ]);
    expect(events[2]).toMatchObject({ output_index: 0, item: { type: "message", status: "in_progress", content: [] } });
    const id = (events[2]?.item as { id: string } | undefined)?.id;
    expect(events.slice(3, 8).every(({ item_id, content_index }) => item_id === id && content_index === 0)).toBe(true);
    expect(events[9]?.response).toMatchObject({
      status: "completed",
      output: [{ id, status: "completed", content: [{ type: "output_text", text: "It snows.", annotations: [] }] }],
      usage: { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 6, total_tokens: 16 },
    });
  });

  it("thinks, speaks and calls in items of their own", () => {
    const events = streamed([
      ...[thought("Hm"), thought("m."), text("Let me see."), ...call(0, "weather", '{"city":', '"Bern"}')],
      ...[...call(1, "crew__spawn", "{}"), finished("tool_calls")],
    ]);
    expect(short(events).slice(2, -1)).toEqual([
      ...[
        "output_item.added",
        "content_part.added",
        "reasoning_text.delta",
        "reasoning_text.delta",
        "reasoning_text.done",
        "content_part.done",
        "output_item.done",
      ],
      ...["output_item.added", "content_part.added", "output_text.delta", "output_text.done", "content_part.done"],
      ...["output_item.done", "output_item.added"],
      ...["function_call_arguments.delta", "function_call_arguments.delta", "function_call_arguments.done"],
      ...["output_item.done", "output_item.added"],
      ...["function_call_arguments.delta", "function_call_arguments.done", "output_item.done"],
    ]);
    expect(events.at(-1)?.response).toMatchObject({
      output: [
        { type: "reasoning", content: [{ type: "reasoning_text", text: "Hmm." }] },
        { type: "message" },
        {
          type: "function_call",
          call_id: "call_0",
          name: "weather",
          arguments: '{"city":"Bern"}',
          status: "completed",
        },
        { type: "function_call", name: "spawn", namespace: "crew" },
      ],
    });
  });

  it("shows free text and a shell's command when they are whole", () => {
    const events = streamed([
      ...call(0, "patch", '{"input":"*** Be', 'gin\\n"}'),
      ...call(1, "local_shell", '{"command":["ls"]}'),
      finished("tool_calls"),
    ]);
    expect(short(events).slice(2, -1)).toEqual([
      ...["output_item.added", "custom_tool_call_input.delta", "custom_tool_call_input.done", "output_item.done"],
      ...["output_item.added", "output_item.done"],
    ]);
    expect(events.at(-1)?.response).toMatchObject({
      output: [
        { type: "custom_tool_call", call_id: "call_0", name: "patch", input: "*** Begin\n" },
        { type: "local_shell_call", call_id: "call_1", action: { type: "exec", command: ["ls"], env: {} } },
      ],
    });
  });

  it("gives a thought as a summary and sealed where it is asked for", () => {
    const more = { reasoning: { summary: "auto" }, include: ["reasoning.encrypted_content"] };
    const events = streamed([thought("Hm."), finished("stop")], more);
    expect(short(events).slice(3, -2)).toEqual([
      ...["reasoning_summary_part.added", "reasoning_summary_text.delta"],
      ...["reasoning_summary_text.done", "reasoning_summary_part.done"],
    ]);
    expect(events.at(-1)?.response).toMatchObject({
      output: [{ summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: expect.stringMatching(/.+/) }],
    });
  });

  it("that was cut off is incomplete, and so is its last item", () => {
    const events = streamed([text("It sno"), finished("length")]);
    expect(short(events).at(-1)).toBe("incomplete");
    expect(events.at(-1)?.response).toMatchObject({
      ...{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, completed_at: null },
      output: [{ status: "incomplete" }],
    });
  });

  it("that goes wrong ends with what it had and why", () => {
    const stream = new ResponseStream(maker(), () => {});
    const before = stream.write(text("It sno"));
    const events = eventsOf(before + stream.fail(new ApiError("engine_failure", "It broke.")));
    expect(short(events).at(-1)).toBe("failed");
    expect(events.at(-1)).toMatchObject({
      sequence_number: 5,
      response: {
        ...{ status: "failed", error: { code: "server_error", message: "It broke." }, usage: null },
        output: [{ status: "incomplete", content: [{ text: "It sno" }] }],
      },
    });
  });
});

it("a whole response has every member that the API requires", () => {
  const writer = new ResponseWhole(maker(), () => {});
  for (const event of [text("It snows."), finished("stop")]) writer.take(event);
  const required = [
    ...["id", "object", "created_at", "completed_at", "status", "incomplete_details", "model", "previous_response_id"],
    ...["instructions", "output", "error", "tools", "tool_choice", "truncation", "parallel_tool_calls", "text"],
    ...["top_p", "presence_penalty", "frequency_penalty", "top_logprobs", "temperature", "reasoning", "usage"],
    ...["max_output_tokens", "max_tool_calls", "store", "background", "service_tier", "metadata"],
    ...["safety_identifier", "prompt_cache_key"],
  ];
  const body = writer.body(usage);
  expect(required.filter((member) => !(member in body))).toEqual([]);
  expect(body).toMatchObject({
    metadata: { a: "b" },
    tool_choice: "auto",
    store: true,
    text: { format: { type: "text" } },
  });
});
