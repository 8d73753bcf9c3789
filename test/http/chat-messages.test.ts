/** How OpenAI's messages become the four roles of a chat template. */
import { describe, expect, it } from "vitest";
import { readChatBody } from "../../electron/http/chat/chat-body";

function read(...messages: object[]) {
  return readChatBody({ model: "default", messages }).messages;
}

const text = (value: string) => ({ type: "text", text: value });

describe("messages", () => {
  it("take developer for system, at the head as many as there are", () => {
    expect(
      read(
        { role: "developer", content: [text("a")] },
        { role: "system", content: "b" },
        { role: "user", content: "c" },
      ),
    ).toEqual([
      { role: "system", content: "a" },
      { role: "system", content: "b" },
      { role: "user", content: "c" },
    ]);
  });

  it("turn a late system message into a user message where it stands", () => {
    const late = read(
      { role: "user", content: "a" },
      { role: "system", content: "b" },
      { role: "assistant", content: "c" },
    );
    expect(late.map(({ role }) => role)).toEqual(["user", "user", "assistant"]);
    const longer = read(
      { role: "user", content: "a" },
      { role: "system", content: "b" },
      { role: "assistant", content: "c" },
      { role: "user", content: "d" },
    );
    expect(longer.slice(0, 3)).toEqual(late);
  });

  it("join text parts by lines and take null, missing and empty content", () => {
    expect(
      read(
        { role: "user", content: [text("a"), { type: "input_text", text: "b" }] },
        { role: "assistant", content: null },
        { role: "assistant" },
        { role: "user", content: "" },
        { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      ).map(({ content }) => content),
    ).toEqual(["a\nb", "", "", "", "no"]);
  });

  it("may end in two assistant messages and have several users in a row, each with its name", () => {
    const messages = read(
      { role: "user", content: "a", name: "planner" },
      { role: "user", content: "b", name: "critic" },
      { role: "assistant", content: "c" },
      { role: "assistant", content: "d" },
    );
    expect(messages).toEqual([
      { role: "user", content: "a", name: "planner" },
      { role: "user", content: "b", name: "critic" },
      { role: "assistant", content: "c" },
      { role: "assistant", content: "d" },
    ]);
  });

  it("take tool and function results as text, and keep an assistant's calls apart from its words", () => {
    const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } };
    expect(
      read(
        { role: "user", content: "a" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "call_1", content: [text("sunny")] },
        { role: "function", name: "weather", content: "warm" },
      ),
    ).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Bern"}' }] },
      { role: "tool", content: "sunny", toolCallId: "call_1" },
      { role: "tool", content: "warm", name: "weather" },
    ]);
  });

  it("keep an assistant's earlier thoughts for the template to use", () => {
    expect(
      read({ role: "user", content: "a" }, { role: "assistant", content: "b", reasoning_content: "hm" })[1],
    ).toEqual({
      role: "assistant",
      content: "b",
      reasoning: "hm",
    });
    expect(read({ role: "user", content: "a" }, { role: "assistant", content: "b", reasoning: "hm" })[1]).toMatchObject(
      {
        reasoning: "hm",
      },
    );
  });
});
