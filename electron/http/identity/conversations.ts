/**
 * Knows conversations whose client says nothing: by the ids of tool calls we gave out, by a known beginning (the next turn of a
 * conversation repeats all that went before), and by a first message that holds what an answer of ours wrote into a tool call (a
 * sub-agent). Hints for the order of the queue only; the memory is bounded, the oldest goes first.
 */
import { createHash } from "node:crypto";
import type { ChatMessage } from "../../../core/contract/engine";
import type { RequestId } from "../../../core/contract/ids";
import type { GenerationEvent } from "../generation/generation-event";
import type { Carrier, Claims } from "./claims";

export interface Sender {
  readonly run: string;
  readonly session: string;
  readonly workflow: string | undefined;
}

export const rememberedMax = 4096;
const spawnsMax = 256;
/** A shorter text could stand in a foreign prompt by chance. */
const spawnCharactersMin = 24;
const spawnCharactersMax = 8192;
/** A sub-agent's task stands in its first message; what is longer is looked at only so far. */
const searchedMax = 65_536;

export class Conversations {
  readonly #ends = new Map<string, Sender>();
  readonly #calls = new Map<string, Sender>();
  readonly #spawns = new Map<string, Sender>();
  readonly #open = new Map<RequestId, { readonly sender: Sender; readonly parts: Map<string, string> }>();

  find(messages: readonly ChatMessage[]): readonly (readonly [Carrier, Claims])[] {
    const known = this.#byCall(messages);
    if (known) return [["our_id", { ...known }]];
    const before = this.#byBeginning(messages);
    if (before) return [["conversation", { ...before }]];
    const parent = this.#parent(messages);
    return parent ? [["spawn", { run: parent.run, workflow: parent.workflow, parentSession: parent.session }]] : [];
  }

  remember(requestId: RequestId, messages: readonly ChatMessage[], sender: Sender): void {
    if (messages.length === 0) return;
    keep(this.#ends, chain(messages).at(-1) ?? "", sender, rememberedMax);
    keep(this.#open, requestId, { sender, parts: new Map() }, rememberedMax);
  }

  /** What is told of the request's answer. */
  hear(requestId: RequestId, event: GenerationEvent): void {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    switch (event.kind) {
      case "toolCallStart":
        return keep(this.#calls, event.id, open.sender, rememberedMax);
      case "toolCallArguments": {
        const call = `${event.choice}/${event.index}`;
        const text = (open.parts.get(call) ?? "") + event.delta;
        if (text.length <= 8 * spawnCharactersMax) open.parts.set(call, text);
        return;
      }
      case "ended":
      case "failed":
        for (const text of open.parts.values()) this.#noteTexts(text, open.sender);
        this.#open.delete(requestId);
        return;
      default:
        return;
    }
  }

  #noteTexts(callArguments: string, sender: Sender): void {
    for (const text of stringsOf(parsed(callArguments))) {
      const words = text.trim();
      if (words.length < spawnCharactersMin || words.length > spawnCharactersMax) continue;
      keep(this.#spawns, words, sender, spawnsMax);
    }
  }

  #byCall(messages: readonly ChatMessage[]): Sender | undefined {
    for (const { toolCallId } of messages.toReversed()) {
      const sender = toolCallId === undefined ? undefined : this.#calls.get(toolCallId);
      if (sender) return sender;
    }
    return undefined;
  }

  #byBeginning(messages: readonly ChatMessage[]): Sender | undefined {
    const links = chain(messages);
    for (let last = messages.length - 2; last >= 0; last -= 1) {
      // What follows a prompt that we answered is our answer.
      if (messages[last + 1]?.role !== "assistant") continue;
      const sender = this.#ends.get(links[last] ?? "");
      if (sender) return sender;
    }
    return undefined;
  }

  #parent(messages: readonly ChatMessage[]): Sender | undefined {
    if (messages.some(({ role }) => role === "assistant")) return undefined;
    const first = messages.find(({ role }) => role === "user")?.content.slice(0, searchedMax) ?? "";
    return [...this.#spawns].findLast(([text]) => first.includes(text))?.[1];
  }
}

/** One hash for each message, over it and all before it. */
function chain(messages: readonly ChatMessage[]): string[] {
  let link = "";
  return messages.map(({ role, content, toolCalls = [] }) => {
    const calls = toolCalls.map((call) => [call.name, call.arguments]);
    const hash = createHash("sha256")
      .update(JSON.stringify([link, role, calls]))
      .update(content);
    link = hash.digest("base64").slice(0, 24);
    return link;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).filter((inner): inner is string => typeof inner === "string")
    : [];
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
