import { expect, test } from "vitest";
import { BatchRunner } from "../../native-models/engine/batch-runner";
import type { NativeContext } from "../../native-models/engine/native-context";
import { Slots } from "../../native-models/engine/slots";
import { Threads } from "../../native-models/engine/threads";

/** Notes every decode, can fail those with a certain slot in them, and draws the slot's number plus 100. */
class FakeNative {
  readonly batchTokensMax = 8;
  readonly decodes: string[] = [];
  runsInOrder = false;
  /** Draws that were asked for while a decode was under way. */
  drawsQueued = 0;
  failingSlot = -1;
  samplersAlive = 0;
  beforeDecode: () => void = () => undefined;
  #isDecoding = false;
  #parts: { slot: number; position: number; tokens: number; wantsLogits: boolean }[] = [];
  beginBatch(): void {
    this.#parts = [];
  }
  add(slot: number, position: number, tokens: Uint32Array, wantsLogits: boolean): number {
    this.#parts.push({ slot, position, tokens: tokens.length, wantsLogits });
    return wantsLogits ? slot : -1;
  }
  async decode(): Promise<void> {
    this.beforeDecode();
    this.decodes.push(
      this.#parts
        .map(({ slot, position, tokens, wantsLogits }) => `${slot}:${position}+${tokens}${wantsLogits ? "!" : ""}`)
        .join(" "),
    );
    this.#isDecoding = true;
    await new Promise(setImmediate);
    this.#isDecoding = false;
    if (this.#parts.some(({ slot }) => slot === this.failingSlot)) throw new Error("Eval has failed");
  }
  async sample(logitIndex: number): Promise<number> {
    if (this.#isDecoding) {
      this.drawsQueued++;
      await new Promise(setImmediate);
    }
    expect(this.samplersAlive).toBeGreaterThan(0);
    return logitIndex + 100;
  }
  createSampler(): { dispose(): void } {
    this.samplersAlive++;
    return { dispose: () => this.samplersAlive-- };
  }
  setThreads(): void {}
  clear(): void {}
  cut(): boolean {
    return true;
  }
  minPosition(): number {
    return 0;
  }
  detokenize(tokens: readonly number[]): string {
    return tokens.map((token) => ` ${token}`).join("");
  }
  isEndOfGeneration(): boolean {
    return false;
  }
}

function start(): { native: FakeNative; runner: BatchRunner } {
  const native = new FakeNative();
  const context = native as unknown as NativeContext;
  const runner = new BatchRunner(context, new Slots(context, 3, 32, true), 1000, Threads.fixed(1, 3));
  for (const requestId of ["a", "b", "c"]) {
    runner.open({ requestId, sampling: { temperature: 0, topP: 1 }, stop: [], generated: [] });
  }
  return { native, runner };
}

const work = (requestId: string, slot: number, tokens: number, position = 0) => ({
  requestId,
  slot,
  position,
  tokens: Array.from({ length: tokens }, (_, index) => index),
  wantsToken: true,
});

test("when a decode fails each piece of work is tried once alone, and only the guilty one fails", async () => {
  const { native, runner } = start();
  native.failingSlot = 1;
  const batch = { batchId: 1, steps: 1, operations: [], work: [work("a", 0, 2), work("b", 1, 2), work("c", 2, 1)] };
  const { answers, failures } = await runner.run(batch);
  expect(native.decodes).toEqual(["0:0+2! 1:0+2! 2:0+1!", "0:0+2!", "1:0+2!", "2:0+1!"]);
  expect(answers.map(({ requestId, token }) => `${requestId} ${token}`)).toEqual(["a 100", "c 102"]);
  expect(failures).toEqual([{ requestId: "b", message: "llama.cpp could not evaluate it: Eval has failed" }]);
});

test("a slot whose work failed holds what it held before", async () => {
  const { native, runner } = start();
  await runner.run({ batchId: 1, steps: 1, operations: [], work: [work("b", 1, 4)] });
  native.failingSlot = 1;
  await runner.run({ batchId: 2, steps: 1, operations: [], work: [work("b", 1, 2, 4)] });
  native.failingSlot = -1;
  const { answers } = await runner.run({ batchId: 3, steps: 1, operations: [], work: [work("b", 1, 1, 4)] });
  expect(answers).toHaveLength(1);
});

test("more tokens than llama.cpp takes at once are evaluated in several decodes, and drawn from after the last", async () => {
  const { native, runner } = start();
  const { answers } = await runner.run({
    batchId: 1,
    steps: 1,
    operations: [],
    work: [work("a", 0, 5), work("b", 1, 12)],
  });
  expect(native.decodes).toEqual(["0:0+5! 1:0+3", "1:3+8", "1:11+1!"]);
  expect(answers.map(({ requestId }) => requestId)).toEqual(["a", "b"]);
});

test("a request closed while its batch is evaluated keeps its sampler until the batch is over", async () => {
  const { native, runner } = start();
  native.beforeDecode = () => runner.close("a");
  const { answers } = await runner.run({ batchId: 1, steps: 1, operations: [], work: [work("a", 0, 1)] });
  expect(answers).toHaveLength(1);
  expect(native.samplersAlive).toBe(2);
});

test("work in the wrong place, twice, too long or of nobody fails alone and reaches no decode", async () => {
  const { native, runner } = start();
  const batches = [
    [work("a", 0, 1, 7)],
    [work("a", 9, 1)],
    [work("a", 0, 33)],
    [work("a", 0, 0)],
    [work("nobody", 0, 1)],
  ];
  const messages: string[] = [];
  for (const [batchId, each] of batches.entries()) {
    const { failures } = await runner.run({ batchId, steps: 1, operations: [], work: each });
    messages.push(...failures.map(({ message }) => message));
  }
  expect(messages).toEqual([
    "Work begins at position 7, but slot 0 holds 0 tokens.",
    "There is no slot 9: the engine has 3.",
    "33 tokens do not fit: a slot holds 32.",
    "There was no token to evaluate.",
    "The request nobody is not open.",
  ]);
  expect(native.decodes).toEqual([]);
  const twice = await runner.run({ batchId: 9, steps: 1, operations: [], work: [work("a", 0, 1), work("b", 0, 1)] });
  expect(twice.answers.map(({ requestId }) => requestId)).toEqual(["a"]);
  expect(twice.failures.map(({ requestId }) => requestId)).toEqual(["b"]);
});

test("each step of a batch goes on with the tokens drawn before, and is under way before the one before is told", async () => {
  const { native, runner } = start();
  const told: string[] = [];
  const batch = { batchId: 1, steps: 3, operations: [], work: [work("a", 0, 1), work("b", 1, 1)] };
  native.beforeDecode = () => told.push("decode");
  const last = await runner.run(batch, ({ answers }) => told.push(answers.map(({ token }) => token).join(" ")));
  expect(native.decodes).toEqual(["0:0+1! 1:0+1!", "0:1+1! 1:1+1!", "0:2+1! 1:2+1!"]);
  expect(told).toEqual(["decode", "decode", "100 101", "decode", "100 101"]);
  expect(last.answers.map(({ token }) => token)).toEqual([100, 101]);
});

test("an interruption lets the step under way end and begins no other", async () => {
  const { native, runner } = start();
  native.beforeDecode = () => {
    if (native.decodes.length === 1) runner.interrupt();
  };
  const results: number[] = [];
  await runner.run({ batchId: 1, steps: 9, operations: [], work: [work("a", 0, 1)] }, ({ batchId }) =>
    results.push(batchId),
  );
  expect(native.decodes).toHaveLength(2);
  expect(results).toHaveLength(1);
});

test("a failure in one of several steps ends the batch with that step", async () => {
  const { native, runner } = start();
  native.beforeDecode = () => {
    native.failingSlot = native.decodes.length === 1 ? 1 : native.failingSlot;
  };
  const batch = { batchId: 1, steps: 9, operations: [], work: [work("a", 0, 1), work("b", 1, 1)] };
  const steps: number[] = [];
  const last = await runner.run(batch, ({ answers }) => steps.push(answers.length));
  expect(steps).toEqual([2]);
  expect(last.answers.map(({ requestId }) => requestId)).toEqual(["a"]);
  expect(last.failures.map(({ requestId }) => requestId)).toEqual(["b"]);
});

test("where native jobs run in order the draws of decode steps are queued behind the decode, those of prompts are not", async () => {
  const { native, runner } = start();
  native.runsInOrder = true;
  const prompts = await runner.run({
    batchId: 1,
    steps: 1,
    operations: [],
    work: [work("a", 0, 2), work("b", 1, 1)],
  });
  expect(prompts.answers.map(({ token }) => token)).toEqual([100, 101]);
  expect(native.drawsQueued).toBe(0);
  const steps = { batchId: 2, steps: 1, operations: [], work: [work("a", 0, 1, 2), work("b", 1, 1, 1)] };
  const { answers } = await runner.run(steps);
  expect(answers.map(({ token }) => token)).toEqual([100, 101]);
  expect(native.drawsQueued).toBe(2);
});

test("where they do not, no draw is asked for before its decode has ended", async () => {
  const { native, runner } = start();
  const batch = { batchId: 1, steps: 3, operations: [], work: [work("a", 0, 1), work("b", 1, 1)] };
  const { answers } = await runner.run(batch);
  expect(answers).toHaveLength(2);
  expect(native.decodes).toHaveLength(3);
  expect(native.drawsQueued).toBe(0);
});

test("what was drawn behind a failed decode reaches no answer", async () => {
  const { native, runner } = start();
  native.runsInOrder = true;
  native.failingSlot = 1;
  runner.open({ requestId: "a", sampling: { temperature: 0, topP: 1 }, stop: [" 100 100"], generated: [] });
  const batch = { batchId: 1, steps: 1, operations: [], work: [work("a", 0, 1), work("b", 1, 1)] };
  const { answers, failures } = await runner.run(batch);
  expect(native.decodes).toEqual(["0:0+1! 1:0+1!", "0:0+1!", "1:0+1!"]);
  expect(native.drawsQueued).toBe(4);
  expect(answers).toEqual([{ requestId: "a", token: 100, text: "", heldText: " 100", ended: null }]);
  expect(failures.map(({ requestId }) => requestId)).toEqual(["b"]);
});
