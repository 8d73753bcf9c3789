/** Cases about silence: streams that wait for long, an engine that hangs, and what /health says meanwhile. */
import { createRequire } from "node:module";
import { type Case, roundedMs, together } from "./case";
import { type CaseServer, pause } from "./case-server";
import { paragraph, system, type Tag, user } from "./words";

export const stallCases: readonly Case[] = [
  {
    id: "D25",
    title: "a stream that waits for a minute is never silent for 15 s (1 slot)",
    setting: { slots: 1 },
    run: waitsForAMinute,
  },
  {
    id: "D28",
    title: "/health answers at once during a long prefill and says when the engine hangs",
    async run(server) {
      const latencies: number[] = [];
      let isOver = false;
      const poll = async () => {
        while (!isOver) {
          const startedAt = performance.now();
          await server.health();
          latencies.push(performance.now() - startedAt);
          await pause(200);
        }
      };
      const polling = poll();
      await server.chat({ messages: [user(paragraph("zorvik", 1900))], maxTokens: 4 });
      isOver = true;
      await polling;
      const engine = server.enginePid;
      process.kill(engine, "SIGSTOP");
      const stoppedAt = performance.now();
      const stalled = await server.until(
        () => server.health(),
        ({ status }) => status === "stalled",
        20_000,
      );
      const noticedMs = performance.now() - stoppedAt;
      process.kill(engine, "SIGCONT");
      const again = await server.until(
        () => server.health(),
        ({ status }) => status === "ok",
        20_000,
      );
      return {
        passed: Math.max(...latencies) < 100 && stalled.status === "stalled" && again.status === "ok",
        figures: {
          polls: latencies.length,
          healthMsMax: roundedMs(Math.max(...latencies)),
          stalled: stalled.status,
          noticedMs: roundedMs(noticedMs),
          afterwards: again.status,
        },
      };
    },
  },
  {
    id: "D52",
    title: "an engine frozen for 30 s under load: it is said, and all requests end",
    async run(server) {
      const tags: readonly Tag[] = ["zorvik", "quellam", "brantoc", "mistop"];
      const call = (tag: Tag) => () =>
        server.chat({ messages: [system(paragraph(tag, 200)), user("Write a story.")], maxTokens: 80 });
      const frozen = async () => {
        const engine = server.enginePid;
        process.kill(engine, "SIGSTOP");
        await pause(30_000);
        const { status } = await server.health();
        process.kill(engine, "SIGCONT");
        return status;
      };
      const freezing = pause(1_500).then(frozen);
      const results = await together(...tags.map((tag) => [0, call(tag)] as const));
      const status = await freezing;
      return {
        passed: status === "stalled" && results.every(({ finish, error }) => finish !== null && error === null),
        figures: {
          status,
          finishes: results.map(({ finish }) => finish),
          silenceMsMax: roundedMs(Math.max(...results.map(({ silenceMsMax }) => silenceMsMax))),
        },
      };
    },
  },
];

/** The engine is held still, which is the same to a waiting client as a slot that is taken for long. */
async function waitsForAMinute(server: CaseServer) {
  const holder = server.chat({ messages: [user(paragraph("zorvik", 100))], maxTokens: 200 });
  await server.until(
    () => server.health(),
    ({ requests_running }) => requests_running === 1,
  );
  const engine = server.enginePid;
  const queued = server.chat({ messages: [user("hi")], maxTokens: 4 });
  const impatient = fetchWithBodyTimeout(server, 20_000);
  await server.until(
    () => server.health(),
    ({ requests_waiting }) => requests_waiting === 2,
  );
  process.kill(engine, "SIGSTOP");
  await pause(60_000);
  process.kill(engine, "SIGCONT");
  const result = await queued;
  const text = await impatient;
  await holder;
  return {
    passed: result.finish !== null && result.silenceMsMax <= 15_000 && text.includes("[DONE]"),
    figures: {
      waitedMs: roundedMs(result.ttftMs),
      silenceMsMax: roundedMs(result.silenceMsMax),
      fetchEnded: text.includes("[DONE]"),
      ...(text.includes("[DONE]") ? {} : { fetchSaid: text.slice(-200) }),
    },
    requestIds: [result.requestId],
  };
}

interface Undici {
  readonly Agent: new (options: { bodyTimeout: number; headersTimeout: number }) => object;
  fetch(url: string, options: object): Promise<Response>;
}

async function fetchWithBodyTimeout(server: CaseServer, bodyTimeout: number): Promise<string> {
  const undici = createRequire(import.meta.url)("undici") as Undici;
  const dispatcher = new undici.Agent({ bodyTimeout, headersTimeout: bodyTimeout });
  const body = JSON.stringify({ model: "default", messages: [user("hello")], max_tokens: 4, stream: true });
  const headers = { "content-type": "application/json" };
  const url = `http://127.0.0.1:${server.port}/v1/chat/completions`;
  try {
    return await (await undici.fetch(url, { method: "POST", dispatcher, body, headers })).text();
  } catch (error) {
    return String(error);
  }
}
