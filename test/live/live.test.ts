import { describe, expect, it } from "vitest";
import type { EngineObserver, EngineOptions, EnginePort } from "../../core/contract/engine";
import { createLive, type RunningLive } from "../../electron/live/create-live";
import { restartDelaysMs } from "../../electron/live/engine-supervisor";
import { EngineUnavailable, type NewRequest, type RequestUpdate } from "../../electron/live/live";
import { ScriptedEngine } from "../support/scripted-engine";
import type { ScriptedOptions } from "../support/scripted-options";
import { HandTimers } from "./hand-timers";

const engineOptions: EngineOptions = {
  modelPath: "scripted.gguf",
  modelId: "scripted",
  noiseModel: false,
  slots: 2,
  slotTokens: 256,
  gpu: "cpu",
  gpuLayers: "auto",
  threads: 1,
};

/** `scripts[n]` is what the n-th engine to be started does; null = it cannot be started. */
function liveWith(scripts: readonly (ScriptedOptions | null)[]) {
  const timers = new HandTimers();
  const engines: ScriptedEngine[] = [];
  let starts = 0;
  const startEngine = async (_: EngineOptions, on: EngineObserver): Promise<EnginePort> => {
    const script = scripts[Math.min(starts, scripts.length - 1)];
    starts += 1;
    if (script === null || script === undefined) throw new Error("The model file is damaged.");
    const engine = new ScriptedEngine({ slots: 2, slotTokens: 256, ...script }, on);
    engines.push(engine);
    return engine;
  };
  return { live: createLive({ startEngine, policy: "topas", timers }), timers, engines };
}

function newRequest(requestId: string, change: Partial<NewRequest> = {}): NewRequest {
  return {
    requestId,
    agent: "agent",
    taskId: requestId,
    workflowId: null,
    stageId: null,
    promptTokens: [1, 2, 3, 4, 5],
    prefixTokens: 3,
    maxTokens: 6,
    sampling: { temperature: 0, topP: 1 },
    stop: [],
    ...change,
  };
}

/** All updates of one request, once it has ended. */
function run(live: RunningLive, request: NewRequest): Promise<RequestUpdate[]> {
  const updates: RequestUpdate[] = [];
  return new Promise((resolve) => {
    live.submit(request, (update) => {
      updates.push(update);
      if (update.kind !== "admitted" && update.kind !== "text") resolve(updates);
    });
  });
}

const textOf = (updates: readonly RequestUpdate[]) =>
  updates.map((update) => (update.kind === "text" ? update.text : "")).join("");

/** Lets the promises of engine and driver settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("the live server", () => {
  it("tells a request that it was admitted, its text and its end with true counts", async () => {
    const { live } = liveWith([{}]);
    await live.load(engineOptions);
    const updates = await run(live, newRequest("a"));
    expect(updates[0]).toEqual({ kind: "admitted" });
    expect(textOf(updates).split(" ").filter(Boolean)).toHaveLength(6);
    expect(updates.at(-1)).toMatchObject({
      kind: "finished",
      reason: "length",
      usage: { promptTokens: 5, completionTokens: 6, cachedTokens: 0 },
    });
    const again = await run(live, newRequest("b"));
    expect(again.at(-1)).toMatchObject({ usage: { cachedTokens: 4 } });
    expect(textOf(again)).toBe(textOf(updates));
  });

  it("closes in the engine what it has opened", async () => {
    const { live, engines } = liveWith([{}]);
    await live.load(engineOptions);
    await Promise.all(["a", "b", "c", "d"].map((id) => run(live, newRequest(id))));
    await settle();
    expect(engines[0]?.openRequests).toEqual([]);
  });

  it("cancels a request in the queue and one that runs", async () => {
    const { live } = liveWith([{}]);
    await live.load(engineOptions);
    const ended = ["a", "b", "c"].map((id) => run(live, newRequest(id, { maxTokens: 200 })));
    for (const id of ["a", "b", "c"]) live.cancel(id, "client left");
    for (const updates of await Promise.all(ended))
      expect(updates.at(-1)).toEqual({ kind: "cancelled", reason: "client left" });
  });

  it("has no model until one is loaded and says why loading failed", async () => {
    const { live } = liveWith([null]);
    expect(live.health).toBe("no_model");
    await expect(live.encode({ kind: "text", text: "hi" })).rejects.toThrow(EngineUnavailable);
    await expect(live.load(engineOptions)).rejects.toThrow("damaged");
    expect(live.health).toBe("no_model");
  });
});

describe("an engine that dies", () => {
  it("is started again, and the answer goes on without a gap or a repeat", async () => {
    const whole = liveWith([{}]);
    await whole.live.load(engineOptions);
    const expected = textOf(await run(whole.live, newRequest("a", { maxTokens: 12 })));

    const { live, timers, engines } = liveWith([{ diesAtStep: 6 }, {}]);
    await live.load(engineOptions);
    const answer = run(live, newRequest("a", { maxTokens: 12 }));
    await settle();
    expect(live.health).toBe("restarting");
    timers.advance(restartDelaysMs[0]);
    const updates = await answer;
    expect(engines).toHaveLength(2);
    expect(textOf(updates)).toBe(expected);
    expect(updates.at(-1)).toMatchObject({ kind: "finished", usage: { completionTokens: 12 } });
    expect(live.explain("a")).toMatchObject({ restarts: 1, outcome: "finished" });
  });

  it("keeps waiting requests and takes new ones while it restarts", async () => {
    const { live, timers } = liveWith([{ diesAtStep: 2 }, {}]);
    await live.load(engineOptions);
    const first = ["a", "b", "c"].map((id) => run(live, newRequest(id)));
    await settle();
    const late = run(live, newRequest("late"));
    const encoded = live.encode({ kind: "text", text: "hello there" });
    timers.advance(restartDelaysMs[0]);
    for (const updates of await Promise.all([...first, late])) expect(updates.at(-1)?.kind).toBe("finished");
    expect((await encoded).tokens.length).toBeGreaterThan(0);
  });

  it("is given up after the last try, with the reason for all who wait, and can be asked for again", async () => {
    const { live, timers } = liveWith([{ diesAtStep: 1 }, null, null, null, null, {}]);
    await live.load(engineOptions);
    const answer = run(live, newRequest("a"));
    await settle();
    for (const delayMs of restartDelaysMs) {
      timers.advance(delayMs);
      await settle();
    }
    expect(live.health).toBe("failed");
    expect(live.supervisor.phase).toMatchObject({ kind: "given_up", reason: "The model file is damaged." });
    await expect(live.encode({ kind: "text", text: "hi" })).rejects.toThrow("damaged");
    const failed = (await answer).at(-1);
    expect(failed).toMatchObject({ kind: "failed", message: expect.stringContaining("damaged") });
    await live.supervisor.retry();
    expect(live.health).toBe("ready");
    expect((await run(live, newRequest("b"))).at(-1)?.kind).toBe("finished");
  });

  it("does not start again after a shutdown that was asked for", async () => {
    const { live, timers, engines } = liveWith([{}]);
    await live.load(engineOptions);
    await live.shutdown();
    timers.advance(60_000);
    await settle();
    expect(engines).toHaveLength(1);
    expect(live.health).toBe("no_model");
  });
});
