/** The official Anthropic client against the whole server: what Claude Code builds on. */
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { noiseServerForTests } from "./noise-server";

const server = noiseServerForTests();
const client = () => new Anthropic({ baseURL: server().origin, apiKey: "none", maxRetries: 0 });
const messages = [{ role: "user" as const, content: "Look around." }];
const short = { model: "default", max_tokens: 8, messages };

describe("a message", () => {
  it("counts what came out of the KV cache apart from what was computed", async () => {
    const system = [
      { type: "text" as const, text: "You are a scout. ".repeat(20), cache_control: { type: "ephemeral" as const } },
    ];
    const counted = await client().messages.countTokens({ model: "default", system, messages });
    const first = await client().messages.create({ ...short, system });
    expect(first).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 8 } });
    const whole = ({ usage }: Anthropic.Message) => usage.input_tokens + (usage.cache_read_input_tokens ?? 0);
    expect(whole(first)).toBe(counted.input_tokens);
    const second = await client()
      .messages.stream({ ...short, system })
      .finalMessage();
    expect(whole(second)).toBe(counted.input_tokens);
    expect(second.usage.cache_read_input_tokens).toBeGreaterThan(counted.input_tokens / 2);
  });

  it("ends at a stop sequence that it names and does not say", async () => {
    const free = await client().messages.create({ ...short, max_tokens: 40 });
    const said = free.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const letter = [...said].find((character) => /[a-z]/.test(character)) ?? "e";
    const stopped = await client().messages.create({ ...short, max_tokens: 400, stop_sequences: [letter] });
    const text = stopped.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: letter });
    expect(text).not.toContain(letter);
  });
});
