/** Cases about processes: an engine that is killed, an app that is killed, a model that must not be loaded again. */
import { readFileSync } from "node:fs";
import type { JournalLine } from "../../electron/trace/journal";
import { type Case, type CaseContext, together } from "./case";
import { CaseServer, isAlive, isListening, pause } from "./case-server";
import { paragraph, system, type Tag, user } from "./words";

const tags: readonly Tag[] = ["zorvik", "quellam", "brantoc"];

export const lifeCycleCases: readonly Case[] = [
  {
    id: "D38",
    title: "an engine killed under three requests: they go on, without a gap or a repeat",
    run: killedEngine,
  },
  {
    id: "D40",
    title: "no request loads the model again",
    async run(server) {
      const engine = server.enginePid;
      const statuses: (number | null)[] = [];
      for (const size of [1024, 4096, 1024, 8192]) {
        const fields = { options: { num_ctx: size }, num_ctx: size, keep_alive: 0 };
        statuses.push((await server.chat({ messages: [user("hi")], maxTokens: 2, fields })).status);
      }
      return {
        passed: server.enginePid === engine && statuses.every((status) => status === 200),
        figures: { statuses, sameProcess: server.enginePid === engine },
      };
    },
  },
  {
    id: "D41",
    title: "a killed app leaves no engine and no port behind",
    async run(server, { launch }) {
      const engine = server.enginePid;
      const streaming = server.chat({ messages: [user(paragraph("zorvik", 900))], maxTokens: 400 });
      await server.until(
        () => server.health(),
        ({ requests_running }) => requests_running === 1,
      );
      server.process.kill("SIGKILL");
      const killedAt = performance.now();
      while (isAlive(engine) && performance.now() - killedAt < 5_000) await pause(50);
      const engineGoneMs = Math.round(performance.now() - killedAt);
      const { error } = await streaming;
      const again = await CaseServer.start({ ...launch });
      const { status } = await again.health();
      await again.stop();
      return {
        passed: !isAlive(engine) && status === "ok" && !(await isListening(launch.port)),
        figures: { engineGoneMs, engineAlive: isAlive(engine), clientSaw: error, newStart: status },
      };
    },
  },
  {
    id: "D42",
    title: "another model's name is 404 and names the loaded one",
    async run(server) {
      const { status, error } = await server.chat({ messages: [user("hi")], fields: { model: "llama-3-70b" } });
      return {
        passed: status === 404 && error !== null && error.includes("model_not_found"),
        figures: { status, error },
      };
    },
  },
];

/** What the client got must be, letter for letter, what the journal says was drawn: a gap or a repeat would differ. */
async function killedEngine(server: CaseServer, { journal }: CaseContext) {
  let heardTexts = 0;
  let isUnderWay: () => void = () => {};
  const underWay = new Promise<void>((resolve) => {
    isUnderWay = resolve;
  });
  const onText = () => {
    heardTexts += 1;
    if (heardTexts === 12) isUnderWay();
  };
  const call = (tag: Tag) => () => {
    const messages = [system(paragraph(tag, 300)), user("Tell me a story.")];
    return server.chat({ messages, maxTokens: 120, onText });
  };
  const engine = server.enginePid;
  const running = together(...tags.map((tag) => [0, call(tag)] as const));
  await underWay;
  process.kill(engine, "SIGABRT");
  const down = await server.until(
    () => server.health(),
    ({ status }) => status !== "ok",
    5_000,
  );
  const results = await running;
  const next = await server.chat({ messages: [user("hi")], maxTokens: 2 });
  const drawn = await server.until(
    async () => drawnTexts(journal),
    (texts) => texts.has(next.requestId),
    5_000,
  );
  const explained = await Promise.all(results.map(({ requestId }) => server.explain(requestId)));
  const asDrawn = results.map(({ requestId, text }) => text.trimStart() === drawn.get(requestId)?.text.trimStart());
  return {
    passed:
      results.every(({ finish, error }) => finish !== null && error === null) &&
      explained.some(({ restarts }) => restarts === 1) &&
      asDrawn.every((each) => each) &&
      results.every(({ requestId, usage }) => usage?.completion_tokens === drawn.get(requestId)?.tokens) &&
      next.status === 200,
    figures: {
      healthMeanwhile: down.status,
      restarts: explained.map(({ restarts }) => restarts),
      finishes: results.map(({ finish }) => finish),
      tokens: results.map((result) => result.usage?.completion_tokens),
      textAsDrawn: asDrawn,
      silenceMsMax: Math.round(Math.max(...results.map(({ silenceMsMax }) => silenceMsMax))),
      next: next.status,
    },
    requestIds: results.map(({ requestId }) => requestId),
  };
}

interface DrawnText {
  readonly text: string;
  readonly tokens: number;
}

function drawnTexts(journal: string): ReadonlyMap<string, DrawnText> {
  const drawn = new Map<string, DrawnText>();
  for (const line of readFileSync(journal, "utf8").split("\n").slice(0, -1)) {
    const entry = JSON.parse(line) as JournalLine;
    if (entry.kind !== "event") continue;
    if (entry.event.kind !== "batch.stepped" && entry.event.kind !== "batch.finished") continue;
    for (const { requestId, text } of entry.event.answers) {
      const before = drawn.get(requestId) ?? { text: "", tokens: 0 };
      drawn.set(requestId, { text: before.text + text, tokens: before.tokens + 1 });
    }
  }
  return drawn;
}
