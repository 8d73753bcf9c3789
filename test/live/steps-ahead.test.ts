/** Driver, link and engine together, while the engine is steps ahead and hears of interruptions late. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineObserver, EngineOptions, EnginePort } from "../../core/contract/engine";
import { type Random, seededRandom } from "../../core/sim/random";
import type { TopasEvent } from "../../core/topas/events";
import { createLive, type RunningLive } from "../../electron/live/create-live";
import type { NewRequest, RequestUpdate } from "../../electron/live/live";
import { ScriptedEngine } from "../support/scripted-engine";
import { HandTimers } from "./hand-timers";

const slots = 3;
const slotTokens = 128;
const engineOptions: EngineOptions = {
  modelPath: "scripted.gguf",
  modelId: "scripted",
  noiseModel: false,
  slots,
  slotTokens,
  gpu: "cpu",
  gpuLayers: "auto",
  threads: 1,
};

/** Its steps wait for `beforeStep`; an interruption reaches it after so many more of them. */
class LateEngine extends ScriptedEngine {
  #late: number | null = null;

  constructor(
    observer: EngineObserver,
    beforeStep: () => void,
    readonly lateness: () => number,
  ) {
    const wait = () =>
      new Promise<void>((resolve) =>
        setImmediate(() => {
          beforeStep();
          this.#arrive();
          resolve();
        }),
      );
    super({ slots, slotTokens, wait }, observer);
  }

  override interrupt(): void {
    this.#late ??= this.lateness();
  }

  override async run(...[batch, onStep]: Parameters<EnginePort["run"]>): ReturnType<EnginePort["run"]> {
    const result = await super.run(batch, onStep);
    this.#late = null;
    return result;
  }

  #arrive(): void {
    if (this.#late === 0) super.interrupt();
    if (this.#late !== null) this.#late -= 1;
  }
}

async function start(beforeStep: () => void = () => undefined, lateness: () => number = () => 0) {
  const engines: LateEngine[] = [];
  const startEngine = async (_: EngineOptions, on: EngineObserver): Promise<EnginePort> => {
    const engine = new LateEngine(on, beforeStep, lateness);
    engines.push(engine);
    return engine;
  };
  const live = createLive({ startEngine, policy: "topas", timers: new HandTimers() });
  const events: TopasEvent[] = [];
  live.driver.onEvent((event) => events.push(event));
  await live.load(engineOptions);
  return { live, events, engine: engines[0] as LateEngine };
}

/** Calls `onText` for each piece of text as it comes; gives the whole answer and how it ended. */
function ask(live: RunningLive, request: NewRequest, onText: () => void = () => undefined) {
  let text = "";
  return new Promise<{ readonly text: string; readonly end: RequestUpdate["kind"] }>((resolve) => {
    live.submit(request, (update) => {
      if (update.kind === "text") text += update.text;
      if (update.kind === "text") onText();
      else if (update.kind !== "admitted") resolve({ text, end: update.kind });
    });
  });
}

function randomRequest(index: number, random: Random): NewRequest {
  const agent = random.between(1, 3);
  const prefix = Array.from({ length: random.between(1, 40) }, (_, at) => agent * 100 + at);
  return {
    requestId: `r${index}`,
    agent: `agent${agent}`,
    taskId: `r${index}`,
    workflowId: null,
    stageId: null,
    promptTokens: [...prefix, index, index + 1],
    prefixTokens: prefix.length,
    maxTokens: random.between(1, 60),
    sampling: { temperature: 0, topP: 1 },
    stop: [],
  };
}

function countOf(events: readonly TopasEvent[], kind: TopasEvent["kind"]): number {
  return events.filter((event) => event.kind === kind).length;
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setImmediate(resolve));
}

describe("while the engine is steps ahead", () => {
  it("no answer loses a token or has one twice, whoever comes, is cancelled, and however late the engine hears of it", async () => {
    let interruptions = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const random = seededRandom(seed);
        const requests = Array.from({ length: 8 }, (_, index) => randomRequest(index, random));
        const alone = new Map<string, string>();
        for (const request of requests) alone.set(request.requestId, (await ask((await start()).live, request)).text);

        const toCome = [...requests];
        const answers: Promise<{ request: NewRequest; text: string; end: string }>[] = [];
        const come = () => {
          const request = toCome.shift();
          if (request !== undefined) answers.push(ask(live, request).then((answer) => ({ request, ...answer })));
        };
        const disturb = () => {
          if (random.next() < 0.15) come();
          if (random.next() < 0.1) live.cancel(`r${random.between(0, 7)}`, "client left");
        };
        const { live, events, engine } = await start(disturb, () => random.between(0, 2));
        while (toCome.length > 0) {
          come();
          await Promise.all(answers);
        }
        await until(() => countOf(events, "batch.finished") === countOf(events, "batch.started"));
        for (const { request, text, end } of await Promise.all(answers)) {
          const whole = alone.get(request.requestId) ?? "";
          if (end === "finished") expect(text).toBe(whole);
          else expect(whole.startsWith(text)).toBe(true);
        }
        expect(countOf(events, "request.failed")).toBe(0);
        expect(engine.openRequests).toEqual([]);
        interruptions += countOf(events, "batch.interrupted");
      }),
      { numRuns: 40 },
    );
    expect(interruptions).toBeGreaterThan(0);
  });

  it("a request that comes, and one that is cancelled, end the batch with the step under way", async () => {
    let texts = 0;
    const { live, events, engine } = await start();
    const request = { ...randomRequest(1, seededRandom(1)), maxTokens: 60 };
    const first = ask(live, request, () => {
      texts += 1;
      if (texts === 5) void ask(live, { ...request, requestId: "comes", promptTokens: [7, 8, 9], maxTokens: null });
      if (texts === 30) live.cancel("comes", "client left");
    });
    expect((await first).end).toBe("finished");
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind.startsWith("batch."));
    const afterwards = kinds.filter((_, index) => kinds[index - 1] === "batch.interrupted");
    expect(afterwards).toEqual(["batch.finished", "batch.finished"]);
    expect(engine.batches.some(({ work }) => work.length === 2)).toBe(true);
  });

  it("the text of each step goes out before the next one is done", async () => {
    const heard: string[] = [];
    const { live, events } = await start(() => heard.push("step"));
    const request = { ...randomRequest(1, seededRandom(1)), maxTokens: 10 };
    await ask(live, request, () => heard.push("text"));
    expect(countOf(events, "batch.started")).toBe(2);
    expect(heard).toEqual(Array.from({ length: 10 }, () => ["step", "text"]).flat());
  });
});
