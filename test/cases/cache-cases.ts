/** Cases about what is reused: the same prefix in another slot, under another name, beside others, after others. */
import { type Case, roundedMs, share, together } from "./case";
import type { CaseServer } from "./case-server";
import { type ChatMessage, type ChatResult, cachedTokens, promptTokens } from "./chat-call";
import { assistant, paragraph, system, type Tag, user } from "./words";

/** Tokens at the end of a prompt and an answer that the template writes anew in the next turn. */
const borderTokens = 16;
/** Share of a prefix that has to be found. */
const mostOf = 0.95;

export const cacheCases: readonly Case[] = [
  {
    id: "D1",
    title: "a prefix in a running request's slot is reused by a request in another",
    run: (server) => sharedPrefix(server, "first token of the other"),
  },
  {
    id: "D1-early",
    title: "the same, asked for while that prefix is still being computed",
    run: (server) => sharedPrefix(server, 2_000),
  },
  {
    id: "D2",
    title: "another agent's name or session changes where, never whether, the cache is used",
    async run(server) {
      const a = [system(paragraph("zorvik", 700)), user("one")];
      const b = [system(paragraph("quellam", 700)), user("one")];
      const send = (messages: ChatMessage[], headers: Record<string, string>) =>
        server.chat({ messages, maxTokens: 4, headers });
      const cold = await send(a, { "x-agent": "first", "x-session-id": "s1" });
      await send(b, { "x-agent": "second", "x-session-id": "s2" });
      const results = [
        await send(a, { "x-agent": "third", "x-session-id": "s3" }),
        await send(a, { "x-workflow-run": "r9", "x-workflow-stage": "never-seen" }),
        await send(a, {}),
      ];
      const shares = results.map((result) => share(cachedTokens(result), promptTokens(cold)));
      return {
        passed: shares.every((each) => each >= mostOf),
        figures: { promptTokens: promptTokens(cold), cachedShares: shares },
        requestIds: results.map(({ requestId }) => requestId),
      };
    },
  },
  {
    id: "D3",
    title: "two agents with a common beginning keep their own slots",
    run: (server) => turnsOfTwo(server, 3, false),
  },
  {
    id: "D7",
    title: "two agents at the same time both find their last turn",
    run: (server) => turnsOfTwo(server, 2, true),
  },
  {
    id: "D4",
    title: "going back to a branch restores the branch (1 slot)",
    setting: { slots: 1 },
    async run(server) {
      const trunk = paragraph("zorvik", 165);
      const branch = (tag: Tag) => [user(`${trunk} ${paragraph(tag, 40)}`)];
      const results: ChatResult[] = [];
      for (const tag of ["quellam", "brantoc", "quellam", "brantoc"] as const) {
        results.push(await server.chat({ messages: branch(tag), maxTokens: 1 }));
      }
      const back = results.slice(2);
      return {
        passed: back.every((result) => cachedTokens(result) >= promptTokens(result) - 2),
        figures: { promptTokens: results.map(promptTokens), cachedTokens: results.map(cachedTokens) },
        requestIds: back.map(({ requestId }) => requestId),
      };
    },
  },
  {
    id: "D5",
    title: "three agents in rotation on two slots (needs the warm store in RAM)",
    async run(server) {
      const tags = ["zorvik", "quellam", "brantoc"] as const;
      const shares: number[] = [];
      for (let round = 1; round <= 3; round += 1) {
        for (const tag of tags) {
          const messages = [system(paragraph(tag, 800)), user(`round ${round}`)];
          const result = await server.chat({ messages, maxTokens: 4 });
          if (round > 1) shares.push(share(cachedTokens(result), promptTokens(result)));
        }
      }
      return { passed: shares.every((each) => each >= mostOf), figures: { cachedSharesFromRound2: shares } };
    },
  },
  {
    id: "D6",
    title: "a short stranger does not cost a long prompt its cache (1 slot)",
    setting: { slots: 1 },
    async run(server) {
      const long = [user(paragraph("zorvik", 1500))];
      const cold = await server.chat({ messages: long, maxTokens: 4 });
      await server.chat({ messages: [user("hi")], maxTokens: 4 });
      const again = await server.chat({ messages: long, maxTokens: 4 });
      return {
        passed: cachedTokens(again) >= mostOf * promptTokens(again),
        figures: {
          promptTokens: promptTokens(again),
          cachedTokens: cachedTokens(again),
          coldMs: roundedMs(cold.ttftMs),
          againMs: roundedMs(again.ttftMs),
        },
        requestIds: [again.requestId],
      };
    },
  },
];

async function sharedPrefix(server: CaseServer, after: number | "first token of the other") {
  const cold = await server.chat({ messages: [system(paragraph("pludge", 1200)), user("one")], maxTokens: 1 });
  const prefix = system(paragraph("zorvik", 1200));
  let hasBegun: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const first = server.chat({ messages: [prefix, user("one")], maxTokens: 400, onText: () => hasBegun() });
  await (typeof after === "number" ? new Promise((resolve) => setTimeout(resolve, after)) : begun);
  const second = await server.chat({ messages: [prefix, user("two")], maxTokens: 8 });
  const firstTotal = await first;
  const ratio = share(second.ttftMs ?? Number.POSITIVE_INFINITY, cold.ttftMs ?? 1);
  return {
    passed: cachedTokens(second) >= mostOf * 1200 && ratio < 0.4 && second.totalMs < firstTotal.totalMs,
    figures: {
      promptTokens: promptTokens(second),
      cachedTokens: cachedTokens(second),
      coldMs: roundedMs(cold.ttftMs),
      ttftMs: roundedMs(second.ttftMs),
      ttftToCold: ratio,
    },
    requestIds: [second.requestId],
  };
}

/** Two agents whose prompts begin alike; each turn carries the whole conversation so far. */
async function turnsOfTwo(server: CaseServer, turns: number, atOnce: boolean) {
  const start = (tag: Tag): ChatMessage[] => [system(paragraph("zorvik", 600)), user(paragraph(tag, 500))];
  const conversations = { quellam: start("quellam"), brantoc: start("brantoc") };
  const missing: number[] = [];
  const requestIds: string[] = [];
  const before: Partial<Record<Tag, ChatResult>> = {};
  const turn = async (tag: keyof typeof conversations) => {
    const result = await server.chat({ messages: conversations[tag], maxTokens: 16 });
    const last = before[tag];
    if (last?.usage) {
      missing.push(last.usage.prompt_tokens + last.usage.completion_tokens - cachedTokens(result));
      requestIds.push(result.requestId);
    }
    before[tag] = result;
    conversations[tag] = [...conversations[tag], assistant(result.text), user("Go on.")];
  };
  for (let count = 0; count < turns; count += 1) {
    if (atOnce) await together([0, () => turn("quellam")], [0, () => turn("brantoc")]);
    else for (const tag of ["quellam", "brantoc"] as const) await turn(tag);
  }
  return {
    passed: missing.length === 2 * (turns - 1) && missing.every((tokens) => tokens <= borderTokens),
    figures: { earlierTokensNotFound: missing },
    requestIds,
  };
}
