/** Names the agent of a client that says nothing: by `name` on its messages, else by its system prompt, else by `user`. */
import { createHash } from "node:crypto";
import type { ChatMessage } from "../../../core/contract/engine";
import type { Carrier, Claims } from "./claims";

/** Weaker and weaker; the last always has an answer. */
export function agentFromMessages(messages: readonly ChatMessage[], user: string | undefined): [Carrier, Claims][] {
  const system = messages.find((message) => message.role === "system");
  const prompt = system?.content.trim() ? system.content : undefined;
  return [
    // Frameworks put other speakers' names on user turns; the agent's own name stands on its prompt or its own turns.
    ["message_name", { agent: system?.name ?? messages.findLast((message) => message.role === "assistant")?.name }],
    ["system_prompt", { agent: prompt === undefined ? undefined : agentFromPrompt(prompt) }],
    ["user", { agent: user }],
    ["default", { agent: "chat" }],
  ];
}

const article = "(?:(?:an?|the)\\s+)?";
const metagpt = new RegExp(`^\\s*You are ${article}([^,\\n]{1,60}), named ([^,.\\n]{1,60})[,.]`, "i");
const crewai = new RegExp(
  `^\\s*You are ${article}([^.,;:!?\\n]{1,60}?)(?=\\s+(?:who|that|which)\\s|[.,;:!?\\n]|$)`,
  "i",
);

function agentFromPrompt(prompt: string): string {
  const named = metagpt.exec(prompt);
  if (named) return `${named[1]} ${named[2]}`;
  const role = crewai.exec(prompt)?.[1];
  return role ?? `agent-${createHash("sha256").update(prompt).digest("hex").slice(0, 8)}`;
}
