/** Prompts in pieces, decode steps, requests side by side in one batch: who gets which answer. */
import { expect, test } from "vitest";
import {
  continueRequest,
  decodeTogether,
  evaluate,
  GREEDY,
  generate,
  openRequest,
  prefill,
} from "../../support/drive-engine";
import type { PortBench } from "./port-bench";

const STEPS = 12;

export function batchTests(port: PortBench): void {
  test("a prompt in pieces is followed by decode steps, one answer each", async () => {
    const prompt = await port.promptOf("the planner reads");
    openRequest(port.engine, "a");
    const results = await prefill(port.engine, { requestId: "a", slot: 0, prompt, pieceTokens: 16 });
    expect(results.map(({ answers }) => answers.length)).toEqual([0, 0, 1]);
    const answers = await generate(port.engine, {
      requestId: "a",
      slot: 0,
      prompt,
      steps: STEPS,
      first: results.at(-1),
    });
    expect(answers).toHaveLength(STEPS);
    for (const { token, ended } of answers) {
      expect(ended).toBeNull();
      expect(token).toBeLessThan(port.engine.description.vocabularySize);
    }
    expect(answers.map(({ text }) => text).join("").length).toBeGreaterThan(0);
  });

  test("a greedy answer is the same again", async () => {
    const prompt = await port.promptOf("say it twice");
    openRequest(port.engine, "a");
    openRequest(port.engine, "b");
    const one = await generate(port.engine, { requestId: "a", slot: 0, prompt, steps: STEPS });
    const other = await generate(port.engine, { requestId: "b", slot: 1, prompt, steps: STEPS });
    expect(other.map(({ token }) => token)).toEqual(one.map(({ token }) => token));
  });

  test("a piece of one prompt and a decode step of another share a batch", async () => {
    const [one, other] = [await port.promptOf("first come"), await port.promptOf("then another")];
    openRequest(port.engine, "a");
    openRequest(port.engine, "b");
    const [first] = (await generate(port.engine, { requestId: "a", slot: 0, prompt: one, steps: 1 })).slice(-1);
    const mixed = await evaluate(port.engine, {
      operations: [],
      work: [
        { requestId: "b", slot: 1, position: 0, tokens: other.slice(0, 32), wantsToken: false },
        { requestId: "a", slot: 0, position: one.length, tokens: [first?.token ?? 0], wantsToken: true },
      ],
    });
    expect(mixed.failures).toEqual([]);
    expect(mixed.answers.map(({ requestId }) => requestId)).toEqual(["a"]);
    const rest = { requestId: "b", slot: 1, position: 32, tokens: other.slice(32), wantsToken: true };
    const last = await evaluate(port.engine, { operations: [], work: [rest] });
    expect(last.answers.map(({ requestId }) => requestId)).toEqual(["b"]);
  });

  test("answers come in the order of the work", async () => {
    const prompt = await port.promptOf("order please", 8);
    for (const requestId of ["a", "b", "c"]) openRequest(port.engine, requestId);
    const work = ["c", "a", "b"].map((requestId, slot) => ({
      requestId,
      slot,
      position: 0,
      tokens: prompt,
      wantsToken: true,
    }));
    const { answers } = await evaluate(port.engine, { operations: [], work });
    expect(answers.map(({ requestId }) => requestId)).toEqual(["c", "a", "b"]);
  });

  test("a token that the model does not have fails its own request only, and that one may go on", async () => {
    const prompt = await port.promptOf("good and bad", 8);
    openRequest(port.engine, "a");
    openRequest(port.engine, "b");
    const bad = port.engine.description.vocabularySize + 5;
    const { answers, failures } = await evaluate(port.engine, {
      operations: [],
      work: [
        { requestId: "a", slot: 0, position: 0, tokens: [...prompt.slice(0, 4), bad], wantsToken: true },
        { requestId: "b", slot: 1, position: 0, tokens: prompt, wantsToken: true },
      ],
    });
    expect(answers.map(({ requestId }) => requestId)).toEqual(["b"]);
    expect(failures.map(({ requestId }) => requestId)).toEqual(["a"]);
    expect(failures[0]?.message).toContain(String(bad));
    const again = await continueRequest(port.engine, { requestId: "a", slot: 0, position: 0, tokens: prompt });
    expect(again?.requestId).toBe("a");
  });

  test("requests in one batch draw with samplers of their own, the same for the same seed", async () => {
    const prompt = await port.promptOf("three at once");
    const draw = async () => {
      openRequest(port.engine, "a", { sampling: GREEDY });
      openRequest(port.engine, "b", { sampling: { temperature: 1.5, topP: 1, seed: 7 } });
      openRequest(port.engine, "c", { sampling: { temperature: 1.5, topP: 1, seed: 8 } });
      const work = ["a", "b", "c"].map((requestId, slot) => ({
        requestId,
        slot,
        position: 0,
        tokens: prompt,
        wantsToken: true,
      }));
      const operations = [0, 1, 2].map((slot) => ({ kind: "cut", slot, length: 0 }) as const);
      const { answers } = await evaluate(port.engine, { operations, work });
      const running = answers.map(({ requestId, token }, slot) => ({
        requestId,
        slot,
        position: prompt.length,
        token,
      }));
      const rest = await decodeTogether(port.engine, running, 8);
      return ["a", "b", "c"].map((requestId) => (rest.get(requestId) ?? []).map(({ token }) => token));
    };
    const [one, other] = [await draw(), await draw()];
    expect(other).toEqual(one);
    expect(one[1]).not.toEqual(one[2]);
    expect(one[0]).not.toEqual(one[1]);
  });
}
