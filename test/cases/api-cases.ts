/** Cases about the shape of answers: what clients stumble over. */
import type { Case } from "./case";
import { type ChatMessage, cachedTokens, chatCall } from "./chat-call";
import { paragraph, system, user } from "./words";

export const apiCases: readonly Case[] = [
  {
    id: "D44",
    title: "cached tokens are told in the same way, streamed or whole",
    async run(server) {
      const messages = [system(paragraph("zorvik", 300)), user("one")];
      await server.chat({ messages, maxTokens: 2 });
      const streamed = cachedTokens(await server.chat({ messages, maxTokens: 2 }));
      const answer = await fetch(`http://127.0.0.1:${server.port}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "default", messages, max_tokens: 2, temperature: 0 }),
      });
      const { usage } = (await answer.json()) as { usage: { prompt_tokens_details: { cached_tokens: number } } };
      const whole = usage.prompt_tokens_details.cached_tokens;
      return { passed: streamed === whole && whole > 0, figures: { streamed, whole } };
    },
  },
  {
    id: "D45",
    title: "finish_reason is null until the last chunk",
    async run(server) {
      const { finishReasons } = await server.chat({ messages: [user("hi")], maxTokens: 5 });
      const last = finishReasons.at(-1) ?? null;
      return {
        passed:
          ["stop", "length"].includes(last ?? "") && finishReasons.slice(0, -1).every((reason) => reason === null),
        figures: { finishReasons },
      };
    },
  },
  {
    id: "D46",
    title: "the developer role and content in parts are taken",
    async run({ port }) {
      const parts = (text: string) => [{ type: "text", text }];
      const messages: ChatMessage[] = [
        { role: "developer", content: parts("You are brief.") },
        { role: "user", content: parts("What is the capital of France?") },
      ];
      const result = await chatCall({ port, messages, maxTokens: 12 });
      return {
        passed: result.status === 200 && result.text !== "",
        figures: { status: result.status, text: result.text },
      };
    },
  },
];
