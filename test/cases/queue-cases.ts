/** Cases about waiting: order, bounds, silence, cancelling, retries. */
import { type Case, roundedMs, share, together } from "./case";
import { type CaseServer, pause } from "./case-server";
import { type ChatResult, cachedTokens, promptTokens } from "./chat-call";
import { paragraph, system, type Tag, user } from "./words";

const tags: readonly Tag[] = ["zorvik", "quellam", "brantoc", "mistop", "pludge"];
/** The starter model goes on with such a row until it is stopped. */
const long = (tag: Tag) => [user(`Write out this row, as far as you can: ${paragraph(tag, 60)}`)];

export const queueCases: readonly Case[] = [
  {
    id: "D20",
    title: "a hang-up during prefill takes effect within a piece",
    async run(server) {
      const cold = await server.chat({ messages: [user(paragraph("quellam", 1900))], maxTokens: 1 });
      const cut = await server.chat({ messages: [user(paragraph("zorvik", 1900))], cutAfterMs: 300 });
      const next = await server.chat({ messages: [user("hi")], maxTokens: 1 });
      const { outcome, prompt, summary } = await server.explain(cut.requestId);
      const ratio = share(next.ttftMs ?? Number.POSITIVE_INFINITY, cold.ttftMs ?? 1);
      return {
        passed: ratio < 0.3 && outcome === "cancelled" && prompt.computed < prompt.tokens,
        figures: {
          coldMs: roundedMs(cold.ttftMs),
          nextMs: roundedMs(next.ttftMs),
          ratio,
          computed: prompt.computed,
          summary,
        },
        requestIds: [cut.requestId],
      };
    },
  },
  { id: "D23", title: "the queue can be seen and tells the real order", run: queueOrder },
  {
    id: "D24",
    title: "requests queue up to a bound, then 429 with Retry-After (1 slot)",
    setting: { slots: 1 },
    run: queueBound,
  },
  {
    id: "D26",
    title: "two branches really run at once",
    async run(server) {
      const call = (tag: Tag) => server.chat({ messages: long(tag), maxTokens: 200 });
      const single = await call("zorvik");
      const startedAt = performance.now();
      const both = await together([0, () => call("quellam")], [0, () => call("brantoc")]);
      const ratio = share(performance.now() - startedAt, single.totalMs);
      return {
        passed: ratio < 1.6,
        figures: {
          singleMs: roundedMs(single.totalMs),
          ratio,
          tokens: [single, ...both].map((result) => result.usage?.completion_tokens),
        },
      };
    },
  },
  {
    id: "D27",
    title: "five impatient clients that send again: no work for the dead (1 slot)",
    setting: { slots: 1 },
    run: storm,
  },
  { id: "D29", title: "500 requests with random ends: each has one ending", run: fiveHundred },
  {
    id: "D31",
    title: "a returning agent beside queued strangers (1 slot)",
    setting: { slots: 1 },
    async run(server) {
      const started = performance.now();
      const agent = async () => {
        const cached: number[] = [];
        for (let turn = 1; turn <= 5; turn += 1) {
          const messages = [system(paragraph("zorvik", 1000)), user(`turn ${turn}`)];
          const result = await server.chat({ messages, maxTokens: 16, headers: { "x-session-id": "returning" } });
          cached.push(cachedTokens(result));
          await pause(50);
        }
        return { cached, totalMs: roundedMs(performance.now() - started) };
      };
      const stranger = async (tag: Tag) => {
        const result = await server.chat({ messages: [system(paragraph(tag, 1000)), user("one")], maxTokens: 16 });
        return roundedMs(result.totalMs);
      };
      const [returning, ...strangers] = await Promise.all([
        agent(),
        pause(500).then(() => stranger("quellam")),
        pause(500).then(() => stranger("brantoc")),
      ]);
      return { passed: null, figures: { returning, strangersMs: strangers } };
    },
  },
];

/** The queue's first place just before each admission, beside who was admitted. */
async function queueOrder(server: CaseServer) {
  const names = Array.from({ length: 10 }, (_, index) => `agent-${index}`);
  const jobs = names.map((name, index) => {
    const tag = tags[index % tags.length] ?? "zorvik";
    const messages = [system(`You are ${name}. ${paragraph(tag, 150)}`), user("one")];
    return () => server.chat({ messages, maxTokens: 30, headers: { "x-agent": name } });
  });
  const startedAt = performance.now();
  const seen: { readonly atMs: number; readonly ids: readonly string[]; readonly complete: boolean }[] = [];
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const atMs = performance.now() - startedAt;
      const { data } = await server.queue();
      const complete = data.every((row) => row.reason !== null && row.age_ms >= 0);
      seen.push({ atMs, ids: data.map((row) => row.request_id), complete });
      await pause(25);
    }
  };
  const watching = watch();
  const results = await together(...jobs.map((job, index) => [index * 20, job] as const));
  isOver = true;
  await watching;
  const admitted = results
    .map((result, index) => ({ id: result.requestId, atMs: index * 20 + (result.admittedMs ?? 0) }))
    .sort((a, b) => a.atMs - b.atMs)
    .slice(2);
  const places = admitted.map(({ id }) => {
    const last = seen.findLast(({ ids }) => ids.includes(id));
    return (last?.ids.indexOf(id) ?? -1) + 1;
  });
  const longest = seen.reduce((best, each) => Math.max(best, each.ids.length), 0);
  return {
    passed:
      longest >= 7 &&
      places.every((place) => place >= 1 && place <= 2) &&
      seen.slice(-20).every((each) => each.complete),
    figures: { longestQueue: longest, placesJustBeforeAdmission: places, answers: seen.length },
    requestIds: admitted.map(({ id }) => id),
  };
}

async function queueBound(server: CaseServer) {
  const five = await Promise.all(tags.map((tag) => server.chat({ messages: [user(`Say ${tag}.`)], maxTokens: 8 })));
  const holder = server.chat({ messages: long("zorvik"), maxTokens: 1900, cutAfterMs: 90_000 });
  await server.until(
    () => server.health(),
    ({ requests_running }) => requests_running === 1,
  );
  const flood = Array.from({ length: 600 }, () =>
    server.chat({ messages: [user("hi")], maxTokens: 1, cutAfterMs: 40_000 }),
  );
  const full = await server.until(
    () => server.health(),
    ({ requests_waiting }) => requests_waiting >= 512,
    35_000,
  );
  const results = await Promise.all(flood);
  const refused = results.filter(({ status }) => status === 429);
  const idle = await server.until(
    () => server.health(),
    ({ requests_waiting }) => requests_waiting === 0,
    20_000,
  );
  await holder;
  return {
    passed:
      five.every(({ status, finish }) => status === 200 && finish !== null) &&
      full.requests_waiting === 512 &&
      refused.length >= 1 &&
      refused.every(({ error, retryAfter }) => Number(retryAfter) > 0 && error?.includes("queue_full")) &&
      idle.requests_waiting === 0,
    figures: {
      five: five.map(({ status }) => status),
      waitingMax: full.requests_waiting,
      refused: refused.length,
      body: refused[0]?.error ?? null,
      others: results
        .filter(({ status }) => status !== 429 && status !== 200)
        .map(({ error }) => error)
        .slice(0, 3),
      waitingAfterHangUp: idle.requests_waiting,
    },
  };
}

async function storm(server: CaseServer) {
  const agent = async (tag: Tag) => {
    const messages = [system(paragraph(tag, 500)), user("Write a long story.")];
    const dead: ChatResult[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      dead.push(await server.chat({ messages, maxTokens: 150, cutAfterMs: 3_000 }));
    }
    return { dead, last: await server.chat({ messages, maxTokens: 30 }) };
  };
  const agents = await Promise.all(tags.map(agent));
  const cut = agents.flatMap(({ dead }) => dead).filter(({ finish }) => finish === null);
  const explained = await Promise.all(cut.map(({ requestId }) => server.explain(requestId)));
  const overtimeMs = explained.map(({ duration_ms }) => (duration_ms ?? Number.POSITIVE_INFINITY) - 3_000);
  return {
    passed:
      agents.every(({ last }) => last.finish !== null) &&
      explained.every(({ outcome }) => outcome === "cancelled") &&
      overtimeMs.every((ms) => ms < 1_000),
    figures: {
      cut: cut.length,
      outcomes: [...new Set(explained.map(({ outcome }) => outcome))],
      longestAfterHangUpMs: roundedMs(Math.max(...overtimeMs)),
      computedForTheDead: explained.reduce((sum, { prompt }) => sum + prompt.computed, 0),
      lastPromptTokens: agents.map(({ last }) => promptTokens(last)),
      lastCached: agents.map(({ last }) => cachedTokens(last)),
    },
  };
}

async function fiveHundred(server: CaseServer) {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const one = (): Promise<ChatResult> => {
    const tag = tags[Math.floor(random() * tags.length)] ?? "zorvik";
    const messages = [user(paragraph(tag, 5 + random() * 60))];
    const kind = random();
    if (kind < 0.1) return server.chat({ messages, fields: { model: "another-model" } });
    if (kind < 0.2) return server.chat({ messages: [user(paragraph(tag, 4_000))] });
    const maxTokens = 1 + Math.floor(random() * 8);
    return server.chat({ messages, maxTokens, ...(kind < 0.5 ? { cutAfterMs: random() * 400 } : {}) });
  };
  const results: ChatResult[] = [];
  const client = async () => {
    while (results.length < 500) results.push(await one());
  };
  await Promise.all(Array.from({ length: 8 }, client));
  await server.until(
    () => server.health(),
    (health) => health.requests_running + health.requests_waiting === 0,
  );
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (const result of results) {
    const { outcome = "unknown" } = await server.explain(result.requestId).catch(() => ({ outcome: "unknown" }));
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (["waiting", "running", "failed"].includes(outcome)) wrong.push(`${result.requestId} is ${outcome}`);
    // Who hung up may have done so just after the last token.
    const hungUp = result.error !== null;
    if (!hungUp && result.status === 200 && (result.finish !== null) !== (outcome === "finished")) {
      wrong.push(`${result.requestId}: ${outcome}, but the client saw ${result.finish}`);
    }
  }
  const health = await server.health();
  return { passed: wrong.length === 0, figures: { requests: results.length, counts, wrong, health } };
}
