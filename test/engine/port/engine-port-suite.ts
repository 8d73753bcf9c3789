/**
 * What every engine port must do, whatever stands behind it. Answers are compared only between runs with the same
 * pieces in the same batches: llama.cpp's last digits depend on them.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { EngineLost, type EnginePort } from "../../../core/contract/engine";
import { evaluate, generate, openRequest } from "../../support/drive-engine";
import { batchTests } from "./batch-tests";
import { copyTests } from "./copy-tests";
import type { PortBench } from "./port-bench";
import { questionTests } from "./question-tests";
import { samplingTests } from "./sampling-tests";
import { stepsTests } from "./steps-tests";
import { textTests } from "./text-tests";

export interface PortSubject {
  /** A fresh engine with four slots of at least 512 tokens; `endsByItself` = its answers soon end with the end token. */
  start(options: { readonly endsByItself: boolean }): Promise<EnginePort>;
}

export function enginePortSuite(name: string, subject: PortSubject): void {
  describe(`the engine port (${name})`, () => {
    let engine: EnginePort;
    beforeAll(async () => {
      engine = await subject.start({ endsByItself: false });
    });
    afterAll(() => engine.shutdown());
    afterEach(async () => {
      for (const requestId of ["a", "b", "c"]) engine.close(requestId);
      await port.clearSlots();
    });

    const port: PortBench = {
      get engine() {
        return engine;
      },
      async clearSlots() {
        const operations = [0, 1, 2, 3].map((slot) => ({ kind: "cut", slot, length: 0 }) as const);
        await evaluate(engine, { operations, work: [] });
      },
      async promptOf(words, tokens = 48) {
        const encoded = await engine.encode({ kind: "text", text: `${words} `.repeat(tokens) });
        return encoded.tokens.slice(0, tokens);
      },
    };
    batchTests(port);
    copyTests(port);
    textTests(port);
    stepsTests(port);
    samplingTests(port);
    questionTests(port);

    test("an answer can end by itself", async () => {
      const ending = await subject.start({ endsByItself: true });
      try {
        const { tokens } = await ending.encode({ kind: "text", text: "end of the story" });
        openRequest(ending, "a", { sampling: { temperature: 1, topP: 1, seed: 3 }, stop: ["~never~"] });
        const answers = await generate(ending, { requestId: "a", slot: 0, prompt: tokens, steps: 400 });
        expect(answers.at(-1)?.ended).toBe("end_of_sequence");
        expect(answers.at(-1)?.heldText).toBe("");
        expect(answers.length).toBeLessThan(400);
      } finally {
        await ending.shutdown();
      }
    });

    test("after shutdown every call says that the engine is gone", async () => {
      const ended = await subject.start({ endsByItself: false });
      openRequest(ended, "a");
      await ended.shutdown();
      const work = [{ requestId: "a", slot: 0, position: 0, tokens: [1], wantsToken: true }];
      await expect(ended.run({ batchId: 1, operations: [], work, steps: 1 })).rejects.toBeInstanceOf(EngineLost);
      await expect(ended.encode({ kind: "text", text: "hello" })).rejects.toBeInstanceOf(EngineLost);
      await expect(ended.shutdown()).resolves.toBeUndefined();
    });
  });
}
