/** Conversations whose client says nothing of itself: known by our ids, by their beginning, and by the task an answer wrote for a sub-agent. */
import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/contract/engine";
import { Conversations, rememberedMax } from "../../electron/http/identity/conversations";
import { hello, startServer } from "./start-server";

const user = (content: string): ChatMessage => ({ role: "user", content });
const said = (content: string): ChatMessage => ({ role: "assistant", content });
const sender = (name: string) => ({ run: name, session: name, workflow: undefined });
const task = "Look through the sources and list every place that opens a file.";

describe("the next turn", () => {
  const known = new Conversations();
  known.remember("r1", [user("hi")], sender("s1"));

  it("is known by the turns before it", () => {
    expect(known.find([user("hi"), said("hello"), user("go on")])).toEqual([["conversation", sender("s1")]]);
  });

  it("is not a repeated first message, another's answer or a changed beginning", () => {
    expect(known.find([user("hi")])).toEqual([]);
    expect(known.find([user("hi"), user("more")])).toEqual([]);
    expect(known.find([user("hi!"), said("hello"), user("go on")])).toEqual([]);
  });

  it("is known by the id of a call, even when the client shortened what went before", () => {
    known.hear("r1", { kind: "toolCallStart", choice: 0, index: 0, id: "call_1", name: "read" });
    expect(known.find([user("summary"), { role: "tool", content: "text", toolCallId: "call_1" }])).toEqual([
      ["our_id", sender("s1")],
    ]);
    expect(known.find([{ role: "tool", content: "text", toolCallId: "call_2" }])).toEqual([]);
  });
});

describe("a sub-agent", () => {
  function afterSpawn(prompt: string) {
    const known = new Conversations();
    known.remember("r1", [user("do it")], sender("s1"));
    const call = { choice: 0, index: 0 };
    known.hear("r1", { kind: "toolCallStart", ...call, id: "call_1", name: "spawn_agent" });
    const text = JSON.stringify({ prompt, depth: 2 });
    for (const delta of [text.slice(0, 20), text.slice(20)])
      known.hear("r1", { kind: "toolCallArguments", ...call, delta });
    known.hear("r1", { kind: "failed", error: null as never });
    return known;
  }

  it("is known by a first message that holds the call's text", () => {
    const child = [["spawn", { run: "s1", workflow: undefined, parentSession: "s1" }]];
    expect(afterSpawn(task).find([user(`<task>${task}</task>`)])).toEqual(child);
  });

  it("is not any prompt that holds a short text, nor a conversation under way", () => {
    expect(afterSpawn("yes").find([user("yes, please")])).toEqual([]);
    expect(afterSpawn(task).find([user(task), said("done"), user("thanks")])).toEqual([]);
  });
});

it("remembers only so much", () => {
  const known = new Conversations();
  for (let index = 0; index <= rememberedMax; index += 1)
    known.remember(`r${index}`, [user(`${index}`)], sender(`s${index}`));
  expect(known.find([user("0"), said("a")])).toEqual([]);
  expect(known.find([user("1"), said("a")])).toHaveLength(1);
});

describe("over HTTP", () => {
  it("puts the turns of one conversation into one task and leaves other requests alone", async () => {
    const { live, client } = await startServer({ answers: ["fine"] });
    const first = await client.chat.completions.create(hello);
    const answer = { role: "assistant" as const, content: first.choices[0]?.message.content ?? "" };
    const second = [...hello.messages, answer, { role: "user" as const, content: "and then?" }];
    await client.chat.completions.create({ ...hello, messages: second });
    const third = [...second, answer, { role: "user" as const, content: "and at last?" }];
    await client.chat.completions.create({ ...hello, messages: third });
    await client.chat.completions.create(hello);
    await client.chat.completions.create({ ...hello, messages: third }, { headers: { "x-session-id": "mine" } });
    const [one, two, three, four, five] = live.requests.map(({ spec }) => spec);
    expect(one?.taskId).toBe(one?.requestId);
    expect(two?.taskId).toBe(`conversation-${one?.requestId}`);
    expect(three?.taskId).toBe(two?.taskId);
    expect(four?.taskId).toBe(four?.requestId);
    expect(five?.taskId).toBe("mine");
  });
});
