/** Several models, one loaded at a time: who enters when, when they are exchanged, and that nobody waits for ever. */
import { describe, expect, it } from "vitest";
import type { EngineDescription } from "../../core/contract/engine";
import { type KnownModel, ModelNotLoadable, TooManyWait } from "../../electron/live/models/known-model";
import { ModelHouse, type ModelHouseLimits, type Visit } from "../../electron/live/models/model-house";
import { fakeEngine } from "../http/fake-engine";
import { HandTimers } from "./hand-timers";

const [a, b, c] = ["a", "b", "c"].map((modelId) => ({
  ...{ modelId, modelPath: `${modelId}.gguf`, noiseModel: false, fileBytes: 1 },
})) as [KnownModel, KnownModel, KnownModel];

interface Load {
  readonly model: KnownModel;
  done(): Promise<void>;
  fail(message: string): Promise<void>;
}

/** Lets everything that is ready happen. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function house(limits: Partial<ModelHouseLimits> = {}) {
  const timers = new HandTimers();
  const loads: Load[] = [];
  let unloads = 0;
  const house = new ModelHouse(
    {
      timers,
      load: (model) =>
        new Promise<EngineDescription>((resolve, reject) => {
          loads.push({
            model,
            async done() {
              resolve({ ...fakeEngine, modelId: model.modelId });
              await settle();
            },
            async fail(message) {
              reject(new Error(message));
              await settle();
            },
          });
        }),
      async unload() {
        unloads += 1;
      },
    },
    { patienceMs: 30_000, lingerMs: 1_000, idleMs: null, waitingMax: 100, ...limits },
  );
  return {
    house,
    timers,
    loads,
    unloads: () => unloads,
    loaded: () => loads.map(({ model }) => model.modelId).join(""),
  };
}

type Housed = ReturnType<typeof house>;

async function withA(limits: Partial<ModelHouseLimits> = {}): Promise<Housed> {
  const started = house(limits);
  const chosen = started.house.choose(a);
  await started.loads[0]?.done();
  await chosen;
  return started;
}

/** A caller whose turn may come later. */
function caller({ house }: Housed, model: KnownModel) {
  const giveUp = new AbortController();
  const state: { visit: Visit | null; error: unknown; giveUp: AbortController } = { visit: null, error: null, giveUp };
  house.enter(model, giveUp.signal).then(
    (visit) => {
      state.visit = visit;
    },
    (error: unknown) => {
      state.error = error;
    },
  );
  return state;
}

describe("several models", () => {
  it("let everybody in at once who wants the loaded one", async () => {
    const housed = await withA();
    const visits = [caller(housed, a), caller(housed, a)];
    await settle();
    expect(visits.map(({ visit }) => visit?.engine.modelId)).toEqual(["a", "a"]);
    expect(housed.loaded()).toBe("a");
  });

  it("are exchanged when nobody uses the loaded one; all who wait share the load", async () => {
    const housed = await withA();
    const [first, second] = [caller(housed, b), caller(housed, b)];
    await settle();
    expect([first.visit, housed.loaded(), housed.house.stateOf(b)]).toEqual([null, "ab", "loading"]);
    await housed.loads[1]?.done();
    expect([first, second].map(({ visit }) => visit?.engine.modelId)).toEqual(["b", "b"]);
    expect(housed.house.stateOf(a)).toBe("unloaded");
  });

  it("wait until those that run have left, and a moment longer", async () => {
    const housed = await withA();
    const running = caller(housed, a);
    await settle();
    const waiting = caller(housed, b);
    housed.timers.advance(5_000);
    expect(housed.house.waitingFor(b)).toBe(1);
    running.visit?.leave();
    running.visit?.leave();
    housed.timers.advance(999);
    expect(housed.loaded()).toBe("a");
    housed.timers.advance(1);
    expect(housed.loaded()).toBe("ab");
    await housed.loads[1]?.done();
    expect(waiting.visit?.engine.modelId).toBe("b");
  });

  it("stay for the next call of who used it last, until somebody's patience is over", async () => {
    const housed = await withA();
    let calls = 0;
    const callOfA = async () => {
      const call = caller(housed, a);
      await settle();
      if (call.visit === null) return call;
      calls += 1;
      housed.timers.advance(900);
      call.visit.leave();
      housed.timers.advance(100);
      return call;
    };
    await callOfA();
    const waiting = caller(housed, b);
    let last = await callOfA();
    while (last.visit !== null) last = await callOfA();
    expect(calls).toBe(31);
    expect(housed.loaded()).toBe("ab");
    await housed.loads[1]?.done();
    expect([waiting.visit?.engine.modelId, last.visit]).toEqual(["b", null]);
    waiting.visit?.leave();
    housed.timers.advance(1_000);
    expect(housed.loaded()).toBe("aba");
    await housed.loads[2]?.done();
    expect(last.visit).toMatchObject({ engine: { modelId: "a" } });
  });

  it("serve the oldest wish first", async () => {
    const housed = await withA();
    const running = caller(housed, a);
    await settle();
    const wishes = [caller(housed, c), caller(housed, b), caller(housed, c)];
    running.visit?.leave();
    housed.timers.advance(1_000);
    await housed.loads[1]?.done();
    expect(wishes.map(({ visit }) => visit?.engine.modelId)).toEqual(["c", undefined, "c"]);
    for (const { visit } of wishes) visit?.leave();
    housed.timers.advance(1_000);
    await housed.loads[2]?.done();
    expect(housed.loaded()).toBe("acb");
    expect(wishes[1]?.visit?.engine.modelId).toBe("b");
  });

  it("forget who gives up, also while its model loads", async () => {
    const housed = await withA();
    const running = caller(housed, a);
    await settle();
    const waiting = caller(housed, b);
    waiting.giveUp.abort(new Error("gone"));
    await settle();
    expect(waiting.error).toEqual(new Error("gone"));
    running.visit?.leave();
    housed.timers.advance(5_000);
    expect(housed.loaded()).toBe("a");
    const late = caller(housed, b);
    housed.timers.advance(1_000);
    late.giveUp.abort(new Error("gone"));
    await housed.loads[1]?.done();
    expect(late.visit).toBeNull();
    const back = caller(housed, a);
    await settle();
    await housed.loads[2]?.done();
    expect(back.visit?.engine.modelId).toBe("a");
  });

  it("refuse one more than may wait", async () => {
    const housed = await withA({ waitingMax: 2 });
    const callers = [caller(housed, b), caller(housed, c), caller(housed, c)];
    await settle();
    expect(callers[2]?.error).toBeInstanceOf(TooManyWait);
    expect(callers.slice(0, 2).map(({ error }) => error)).toEqual([null, null]);
  });

  it("tell all who wait for one that cannot be loaded, do not try it again at once, and go back to the other", async () => {
    const housed = await withA();
    const callers = [caller(housed, b), caller(housed, b)];
    await settle();
    await housed.loads[1]?.fail("The file is damaged.");
    const error = new ModelNotLoadable("The model 'b' cannot be loaded. The file is damaged.");
    expect(callers.map((each) => each.error)).toEqual([error, error]);
    expect([housed.house.present, housed.house.isAsleep]).toEqual([a, true]);
    const again = caller(housed, b);
    const other = caller(housed, a);
    await settle();
    await housed.loads[2]?.done();
    expect([again.error, other.visit?.engine.modelId, housed.loaded()]).toEqual([error, "a", "aba"]);
    other.visit?.leave();
    housed.timers.advance(60_000);
    caller(housed, b);
    await settle();
    expect(housed.loaded()).toBe("abab");
  });

  it("obey the user at once; who waited for another waits on", async () => {
    const housed = await withA();
    const waiting = caller(housed, b);
    await settle();
    const chosen = housed.house.choose(c);
    await housed.loads[1]?.fail("Another model was chosen meanwhile.");
    expect(waiting.error).toBeNull();
    await housed.loads[2]?.done();
    await chosen;
    // The user's choice is loaded, and exchanged again for who waited: nobody uses it.
    expect(housed.loaded()).toBe("abcb");
    await housed.loads[3]?.done();
    expect(waiting.visit?.engine.modelId).toBe("b");
  });
});

describe("a model that nobody uses", () => {
  it("is put away after the idle time and loaded again by the next request", async () => {
    const housed = await withA({ idleMs: 60_000 });
    const first = caller(housed, a);
    await settle();
    housed.timers.advance(120_000);
    expect(housed.unloads()).toBe(0);
    first.visit?.leave();
    housed.timers.advance(59_999);
    const second = caller(housed, a);
    await settle();
    second.visit?.leave();
    housed.timers.advance(59_999);
    expect(housed.unloads()).toBe(0);
    housed.timers.advance(1);
    await settle();
    expect([housed.unloads(), housed.house.isAsleep, housed.house.present]).toEqual([1, true, a]);
    const third = caller(housed, a);
    await settle();
    await housed.loads[1]?.done();
    expect(third.visit?.engine.modelId).toBe("a");
  });

  it("is put away too if nobody ever came", async () => {
    const housed = await withA({ idleMs: 60_000 });
    housed.timers.advance(60_000);
    expect(housed.unloads()).toBe(1);
  });
});
