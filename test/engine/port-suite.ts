/**
 * What every engine port must do, whatever stands behind it. Answers are compared only between runs with the same
 * pieces in the same batches: llama.cpp's last digits depend on them.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type BatchAnswer, type BatchResult, EngineLost, type EnginePort } from "../../core/contract/engine";
import {
  continueRequest,
  decodeTogether,
  evaluate,
  GREEDY,
  generate,
  openRequest,
  prefill,
  type RunningSequence,
} from "../support/drive-engine";

export interface PortSubject {
  /** A fresh engine with four slots of at least 512 tokens; `endsByItself` = its answers soon end with the end token. */
  start(options: { readonly endsByItself: boolean }): Promise<EnginePort>;
}

const STEPS = 12;

export function enginePortSuite(name: string, subject: PortSubject): void {
  describe(`the engine port (${name})`, () => {
    let engine: EnginePort;
    beforeAll(async () => {
      engine = await subject.start({ endsByItself: false });
    });
    afterAll(() => engine.shutdown());
    afterEach(async () => {
      for (const requestId of ["a", "b", "c"]) engine.close(requestId);
      await evaluate(engine, {
        operations: [0, 1, 2, 3].map((slot) => ({ kind: "cut", slot, length: 0 }) as const),
        work: [],
      });
    });

    /** All results of one batch, the last one last. */
    const inOneBatch = async (
      running: readonly RunningSequence[],
      { steps, onFirst }: { readonly steps: number; readonly onFirst?: () => void },
    ): Promise<BatchResult[]> => {
      const results: BatchResult[] = [];
      const work = running.map(({ token, ...sequence }) => ({ ...sequence, tokens: [token], wantsToken: true }));
      const last = await evaluate(engine, { operations: [], work, steps }, (result) => {
        results.push(result);
        if (results.length === 1) onFirst?.();
      });
      return [...results, last];
    };
    const answersOf = (results: readonly BatchResult[], requestId: string): BatchAnswer[] =>
      results.flatMap(({ answers }) => answers.filter((answer) => answer.requestId === requestId));

    const promptOf = async (words: string, tokens = 48) => {
      const encoded = await engine.encode({ kind: "text", text: `${words} `.repeat(tokens) });
      return encoded.tokens.slice(0, tokens);
    };

    test("a prompt in pieces is followed by decode steps, one answer each", async () => {
      const prompt = await promptOf("the planner reads");
      openRequest(engine, "a");
      const results = await prefill(engine, { requestId: "a", slot: 0, prompt, pieceTokens: 16 });
      expect(results.map(({ answers }) => answers.length)).toEqual([0, 0, 1]);
      const answers = await generate(engine, { requestId: "a", slot: 0, prompt, steps: STEPS, first: results.at(-1) });
      expect(answers).toHaveLength(STEPS);
      for (const { token, ended } of answers) {
        expect(ended).toBeNull();
        expect(token).toBeLessThan(engine.description.vocabularySize);
      }
      expect(answers.map(({ text }) => text).join("").length).toBeGreaterThan(0);
    });

    test("a greedy answer is the same again", async () => {
      const prompt = await promptOf("say it twice");
      openRequest(engine, "a");
      openRequest(engine, "b");
      const one = await generate(engine, { requestId: "a", slot: 0, prompt, steps: STEPS });
      const other = await generate(engine, { requestId: "b", slot: 1, prompt, steps: STEPS });
      expect(other.map(({ token }) => token)).toEqual(one.map(({ token }) => token));
    });

    test("a piece of one prompt and a decode step of another share a batch", async () => {
      const [one, other] = [await promptOf("first come"), await promptOf("then another")];
      openRequest(engine, "a");
      openRequest(engine, "b");
      const [first] = (await generate(engine, { requestId: "a", slot: 0, prompt: one, steps: 1 })).slice(-1);
      const mixed = await evaluate(engine, {
        operations: [],
        work: [
          { requestId: "b", slot: 1, position: 0, tokens: other.slice(0, 32), wantsToken: false },
          { requestId: "a", slot: 0, position: one.length, tokens: [first?.token ?? 0], wantsToken: true },
        ],
      });
      expect(mixed.failures).toEqual([]);
      expect(mixed.answers.map(({ requestId }) => requestId)).toEqual(["a"]);
      const rest = { requestId: "b", slot: 1, position: 32, tokens: other.slice(32), wantsToken: true };
      const last = await evaluate(engine, { operations: [], work: [rest] });
      expect(last.answers.map(({ requestId }) => requestId)).toEqual(["b"]);
    });

    test("answers come in the order of the work", async () => {
      const prompt = await promptOf("order please", 8);
      for (const requestId of ["a", "b", "c"]) openRequest(engine, requestId);
      const work = ["c", "a", "b"].map((requestId, slot) => ({
        requestId,
        slot,
        position: 0,
        tokens: prompt,
        wantsToken: true,
      }));
      const { answers } = await evaluate(engine, { operations: [], work });
      expect(answers.map(({ requestId }) => requestId)).toEqual(["c", "a", "b"]);
    });

    test("a copy that is cut back goes on like the prefix computed afresh", async () => {
      const prefix = await promptOf("a shared system prompt");
      const [tail, otherTail] = [await promptOf("one question", 8), await promptOf("what else", 8)];
      for (const requestId of ["a", "b", "c"]) openRequest(engine, requestId);
      await prefill(engine, { requestId: "a", slot: 0, prompt: prefix, pieceTokens: 16 });
      await continueRequest(engine, { requestId: "a", slot: 0, position: prefix.length, tokens: otherTail });
      const operations = [
        { kind: "copy", from: 0, to: 2 } as const,
        { kind: "cut", slot: 2, length: prefix.length } as const,
      ];
      const forked = await continueRequest(engine, {
        requestId: "b",
        slot: 2,
        position: prefix.length,
        tokens: tail,
        operations,
      });
      await prefill(engine, { requestId: "c", slot: 3, prompt: prefix, pieceTokens: 16 });
      const fresh = await continueRequest(engine, { requestId: "c", slot: 3, position: prefix.length, tokens: tail });
      expect(forked?.token).toBe(fresh?.token);
    });

    test("the source of a copy goes on as if nothing had happened", async () => {
      const prompt = await promptOf("copied while running");
      openRequest(engine, "a");
      openRequest(engine, "b");
      const alone = await generate(engine, { requestId: "a", slot: 0, prompt, steps: 4 });
      await generate(engine, { requestId: "b", slot: 1, prompt, steps: 2 });
      engine.close("b");
      openRequest(engine, "b", { generated: alone.slice(0, 2).map(({ token }) => token) });
      const operations = [{ kind: "copy", from: 1, to: 3 } as const];
      const tokens = [alone[1]?.token ?? 0];
      const third = await continueRequest(engine, {
        requestId: "b",
        slot: 1,
        position: prompt.length + 1,
        tokens,
        operations,
      });
      expect(third?.token).toBe(alone[2]?.token);
    });

    test("a slot cut in place goes on like the prefix computed afresh", async () => {
      const prefix = await promptOf("kept in its slot");
      const [tail, otherTail] = [await promptOf("the next turn", 8), await promptOf("thrown away", 8)];
      openRequest(engine, "a");
      openRequest(engine, "b");
      await prefill(engine, { requestId: "a", slot: 0, prompt: prefix, pieceTokens: 16 });
      await continueRequest(engine, { requestId: "a", slot: 0, position: prefix.length, tokens: otherTail });
      const operations = [{ kind: "cut", slot: 0, length: prefix.length } as const];
      const warm = await continueRequest(engine, {
        requestId: "a",
        slot: 0,
        position: prefix.length,
        tokens: tail,
        operations,
      });
      await prefill(engine, { requestId: "b", slot: 1, prompt: prefix, pieceTokens: 16 });
      const fresh = await continueRequest(engine, { requestId: "b", slot: 1, position: prefix.length, tokens: tail });
      expect(warm?.token).toBe(fresh?.token);
    });

    test("a token that the model does not have fails its own request only, and that one may go on", async () => {
      const prompt = await promptOf("good and bad", 8);
      openRequest(engine, "a");
      openRequest(engine, "b");
      const bad = engine.description.vocabularySize + 5;
      const { answers, failures } = await evaluate(engine, {
        operations: [],
        work: [
          { requestId: "a", slot: 0, position: 0, tokens: [...prompt.slice(0, 4), bad], wantsToken: true },
          { requestId: "b", slot: 1, position: 0, tokens: prompt, wantsToken: true },
        ],
      });
      expect(answers.map(({ requestId }) => requestId)).toEqual(["b"]);
      expect(failures.map(({ requestId }) => requestId)).toEqual(["a"]);
      expect(failures[0]?.message).toContain(String(bad));
      const again = await continueRequest(engine, { requestId: "a", slot: 0, position: 0, tokens: prompt });
      expect(again?.requestId).toBe("a");
    });

    test("a stop text is never shown, also where it lies across two tokens", async () => {
      const prompt = await promptOf("stop across tokens");
      openRequest(engine, "a");
      const free = await generate(engine, { requestId: "a", slot: 0, prompt, steps: STEPS });
      const whole = free.map(({ text }) => text).join("");
      const border = free.findIndex(
        ({ text }, index) => index > 2 && text !== "" && (free[index + 1]?.text ?? "") !== "",
      );
      const stop = `${free[border]?.text.slice(-1)}${free[border + 1]?.text.slice(0, 1)}`;
      expect(whole).toContain(stop);

      openRequest(engine, "b", { stop: [stop] });
      const stopped = await generate(engine, { requestId: "b", slot: 1, prompt, steps: STEPS });
      expect(stopped.at(-1)?.ended).toBe("stop_text");
      expect(stopped.map(({ text }) => text).join("")).toBe(whole.slice(0, whole.indexOf(stop)));
      expect(stopped.some(({ heldText }) => heldText !== "" && stop.startsWith(heldText))).toBe(true);
    });

    test("text held back for a stop text is given beside the answer, for an answer that ends there", async () => {
      const prompt = await promptOf("held back");
      openRequest(engine, "a");
      const free = await generate(engine, { requestId: "a", slot: 0, prompt, steps: 4 });
      const whole = free.map(({ text }) => text).join("");
      openRequest(engine, "b", { stop: [`${whole} and more that never comes`] });
      const held = await generate(engine, { requestId: "b", slot: 1, prompt, steps: 4 });
      expect(held.map(({ text }) => text).join("")).toBe("");
      expect(held.at(-1)?.heldText).toBe(whole);
    });

    test("a request that was closed and opened again with its tokens continues its text without gap or repeat", async () => {
      const prompt = await promptOf("after a restart");
      openRequest(engine, "a");
      const free = await generate(engine, { requestId: "a", slot: 0, prompt, steps: STEPS });
      const cut = free.findIndex(({ text }, index) => index >= 4 && text !== "") + 1;
      // A stop text that seems to begin with the last character before the cut: that one is held back across it.
      const stop = [`${free[cut - 1]?.text.slice(-1)}~never~`];

      openRequest(engine, "b", { stop });
      const before = await generate(engine, { requestId: "b", slot: 1, prompt, steps: cut });
      expect(before.at(-1)?.heldText).toBe(stop[0]?.slice(0, 1));
      engine.close("b");
      openRequest(engine, "b", { stop, generated: before.map(({ token }) => token) });
      await prefill(engine, { requestId: "b", slot: 2, prompt, wantsToken: false });
      for (const [index, { token }] of before.slice(0, -1).entries()) {
        const work = { requestId: "b", slot: 2, position: prompt.length + index, tokens: [token], wantsToken: false };
        await evaluate(engine, { operations: [], work: [work] });
      }
      const position = prompt.length + cut - 1;
      const last = { requestId: "b", slot: 2, position, token: before.at(-1)?.token ?? 0 };
      const after = (await decodeTogether(engine, [last], STEPS - cut)).get("b") ?? [];
      const text = [...before, ...after].map((answer) => answer.text).join("") + (after.at(-1)?.heldText ?? "");
      expect(text).toBe(free.map((answer) => answer.text).join(""));
    });

    test("requests in one batch draw with samplers of their own, the same for the same seed", async () => {
      const prompt = await promptOf("three at once");
      const draw = async () => {
        openRequest(engine, "a", { sampling: GREEDY });
        openRequest(engine, "b", { sampling: { temperature: 1.5, topP: 1, seed: 7 } });
        openRequest(engine, "c", { sampling: { temperature: 1.5, topP: 1, seed: 8 } });
        const work = ["a", "b", "c"].map((requestId, slot) => ({
          requestId,
          slot,
          position: 0,
          tokens: prompt,
          wantsToken: true,
        }));
        const operations = [0, 1, 2].map((slot) => ({ kind: "cut", slot, length: 0 }) as const);
        const { answers } = await evaluate(engine, { operations, work });
        const running = answers.map(({ requestId, token }, slot) => ({
          requestId,
          slot,
          position: prompt.length,
          token,
        }));
        const rest = await decodeTogether(engine, running, 8);
        return ["a", "b", "c"].map((requestId) => (rest.get(requestId) ?? []).map(({ token }) => token));
      };
      const [one, other] = [await draw(), await draw()];
      expect(other).toEqual(one);
      expect(one[1]).not.toEqual(one[2]);
      expect(one[0]).not.toEqual(one[1]);
    });

    test("several steps in one batch draw what as many batches of one step draw, and are told one by one", async () => {
      const prompt = await promptOf("many steps at once");
      const [alone, together] = [
        await twoAnswers(prompt, STEPS),
        await inOneBatch(await twoBegun(prompt), { steps: STEPS }),
      ];
      expect(together.map(({ answers }) => answers.map(({ requestId }) => requestId))).toEqual(
        Array.from({ length: STEPS }, () => ["a", "b"]),
      );
      expect(answersOf(together, "a")).toEqual(alone.get("a"));
      expect(answersOf(together, "b")).toEqual(alone.get("b"));
      for (const { durationMs } of together) expect(durationMs).toBeGreaterThan(0);
    });

    test("a batch of several steps ends for all with the step in which one of them ends", async () => {
      const prompt = await promptOf("one of two ends");
      const free = (await twoAnswers(prompt, STEPS)).get("b") ?? [];
      const border = free.findIndex(({ text }, index) => index > 2 && text.trim() !== "");
      const stop = [free[border]?.text ?? ""];
      const stopped = ((await twoAnswers(prompt, STEPS, stop)).get("b") ?? []).length;
      expect(stopped).toBeLessThan(STEPS);
      const results = await inOneBatch(await twoBegun(prompt, stop), { steps: STEPS });
      expect(results).toHaveLength(stopped);
      expect(results.at(-1)?.answers.map(({ ended }) => ended)).toEqual([null, "stop_text"]);
    });

    test("an interrupted batch ends early, and a later one goes on after its last token", async () => {
      const prompt = await promptOf("broken off");
      const steps = 400;
      const alone = (await twoAnswers(prompt, steps)).get("a") ?? [];
      const before = await inOneBatch(await twoBegun(prompt), { steps, onFirst: () => engine.interrupt() });
      expect(before.length).toBeGreaterThan(1);
      expect(before.length).toBeLessThan(steps);
      const position = prompt.length + before.length;
      const last = before.at(-1)?.answers ?? [];
      const going = last.map(({ requestId, token }, slot) => ({ requestId, slot, position, token }));
      const after = await inOneBatch(going, { steps: 3 });
      expect(answersOf([...before, ...after], "a")).toEqual(alone.slice(0, before.length + 3));
    });

    test("an interruption while nothing runs, or said twice, does not touch the next batch", async () => {
      const prompt = await promptOf("nothing to break off");
      const running = await twoBegun(prompt);
      engine.interrupt();
      engine.interrupt();
      expect(await inOneBatch(running, { steps: 4 })).toHaveLength(4);
    });

    test("several steps with a piece of a prompt in them are refused, and nothing of them is done", async () => {
      const prompt = await promptOf("not by itself");
      openRequest(engine, "a");
      const work = [{ requestId: "a", slot: 0, position: 0, tokens: prompt, wantsToken: true }];
      await expect(evaluate(engine, { operations: [], work, steps: 2 })).rejects.toThrow(/steps/);
      expect((await evaluate(engine, { operations: [], work })).failures).toEqual([]);
    });

    /** Requests a and b in slots 0 and 1, fresh, each with its first token drawn. */
    async function twoBegun(prompt: readonly number[], stopOfB: readonly string[] = []): Promise<RunningSequence[]> {
      openRequest(engine, "a");
      openRequest(engine, "b", { stop: stopOfB, sampling: { temperature: 1, topP: 1, seed: 5 } });
      const operations = [0, 1].map((slot) => ({ kind: "cut", slot, length: 0 }) as const);
      const work = ["a", "b"].map((requestId, slot) => ({
        requestId,
        slot,
        position: 0,
        tokens: prompt,
        wantsToken: true,
      }));
      const { answers } = await evaluate(engine, { operations, work });
      return answers.map(({ requestId, token }, slot) => ({ requestId, slot, position: prompt.length, token }));
    }

    /** What they draw next in batches of one step, until one of them ends. */
    async function twoAnswers(prompt: readonly number[], steps: number, stopOfB: readonly string[] = []) {
      const answers = await decodeTogether(engine, await twoBegun(prompt, stopOfB), steps);
      for (const requestId of ["a", "b"]) engine.close(requestId);
      return answers;
    }

    test("the leading system messages are the prefix that prompts share", async () => {
      const system = { role: "system", content: "You plan the work of a small crew." } as const;
      const [one, other] = await Promise.all(
        ["What is first?", "Say what comes last."].map((content) =>
          engine.encode({ kind: "chat", messages: [system, { role: "user", content }] }),
        ),
      );
      const prefix = one?.tokens.slice(0, one.prefixTokens);
      expect(prefix?.length).toBeGreaterThan(4);
      expect(other?.tokens.slice(0, other.prefixTokens)).toEqual(prefix);
      expect(other?.tokens).not.toEqual(one?.tokens);
      const bare = await engine.encode({ kind: "chat", messages: [{ role: "user", content: "Hello" }] });
      expect(bare.prefixTokens).toBe(0);
    });

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
