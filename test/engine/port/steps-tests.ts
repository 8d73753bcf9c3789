/** Several decode steps in one batch: the same draws as in as many batches, told one by one, until one ends or it is interrupted. */
import { expect, test } from "vitest";
import type { BatchAnswer, BatchResult } from "../../../core/contract/engine";
import { decodeTogether, evaluate, openRequest, type RunningSequence } from "../../support/drive-engine";
import type { PortBench } from "./port-bench";

const STEPS = 12;

export function stepsTests(port: PortBench): void {
  test("several steps in one batch draw what as many batches of one step draw, and are told one by one", async () => {
    const prompt = await port.promptOf("many steps at once");
    const [alone, together] = [
      await twoAnswers(port, prompt, STEPS),
      await inOneBatch(port, await twoBegun(port, prompt), { steps: STEPS }),
    ];
    expect(together.map(({ answers }) => answers.map(({ requestId }) => requestId))).toEqual(
      Array.from({ length: STEPS }, () => ["a", "b"]),
    );
    expect(answersOf(together, "a")).toEqual(alone.get("a"));
    expect(answersOf(together, "b")).toEqual(alone.get("b"));
    for (const { durationMs } of together) expect(durationMs).toBeGreaterThan(0);
  });

  test("a batch of several steps ends for all with the step in which one of them ends", async () => {
    const prompt = await port.promptOf("one of two ends");
    const free = (await twoAnswers(port, prompt, STEPS)).get("b") ?? [];
    const border = free.findIndex(({ text }, index) => index > 2 && text.trim() !== "");
    const stop = [free[border]?.text ?? ""];
    const stopped = ((await twoAnswers(port, prompt, STEPS, stop)).get("b") ?? []).length;
    expect(stopped).toBeLessThan(STEPS);
    const results = await inOneBatch(port, await twoBegun(port, prompt, stop), { steps: STEPS });
    expect(results).toHaveLength(stopped);
    expect(results.at(-1)?.answers.map(({ ended }) => ended)).toEqual([null, "stop_text"]);
  });

  test("an interrupted batch ends early, and a later one goes on after its last token", async () => {
    const prompt = await port.promptOf("broken off");
    const steps = 400;
    const alone = (await twoAnswers(port, prompt, steps)).get("a") ?? [];
    const before = await inOneBatch(port, await twoBegun(port, prompt), {
      steps,
      onFirst: () => port.engine.interrupt(),
    });
    expect(before.length).toBeGreaterThan(1);
    expect(before.length).toBeLessThan(steps);
    const position = prompt.length + before.length;
    const last = before.at(-1)?.answers ?? [];
    const going = last.map(({ requestId, token }, slot) => ({ requestId, slot, position, token }));
    const after = await inOneBatch(port, going, { steps: 3 });
    expect(answersOf([...before, ...after], "a")).toEqual(alone.slice(0, before.length + 3));
  });

  test("an interruption while nothing runs, or said twice, does not touch the next batch", async () => {
    const prompt = await port.promptOf("nothing to break off");
    const running = await twoBegun(port, prompt);
    port.engine.interrupt();
    port.engine.interrupt();
    expect(await inOneBatch(port, running, { steps: 4 })).toHaveLength(4);
  });

  test("several steps with a piece of a prompt in them are refused, and nothing of them is done", async () => {
    const prompt = await port.promptOf("not by itself");
    openRequest(port.engine, "a");
    const work = [{ requestId: "a", slot: 0, position: 0, tokens: prompt, wantsToken: true }];
    await expect(evaluate(port.engine, { operations: [], work, steps: 2 })).rejects.toThrow(/steps/);
    expect((await evaluate(port.engine, { operations: [], work })).failures).toEqual([]);
  });
}

/** All results of one batch, the last one last. */
async function inOneBatch(
  port: PortBench,
  running: readonly RunningSequence[],
  { steps, onFirst }: { readonly steps: number; readonly onFirst?: () => void },
): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  const work = running.map(({ token, ...sequence }) => ({ ...sequence, tokens: [token], wantsToken: true }));
  const last = await evaluate(port.engine, { operations: [], work, steps }, (result) => {
    results.push(result);
    if (results.length === 1) onFirst?.();
  });
  return [...results, last];
}

function answersOf(results: readonly BatchResult[], requestId: string): BatchAnswer[] {
  return results.flatMap(({ answers }) => answers.filter((answer) => answer.requestId === requestId));
}

/** Requests a and b in slots 0 and 1, fresh, each with its first token drawn. */
async function twoBegun(
  port: PortBench,
  prompt: readonly number[],
  stopOfB: readonly string[] = [],
): Promise<RunningSequence[]> {
  openRequest(port.engine, "a");
  openRequest(port.engine, "b", { stop: stopOfB, sampling: { temperature: 1, topP: 1, seed: 5 } });
  const operations = [0, 1].map((slot) => ({ kind: "cut", slot, length: 0 }) as const);
  const work = ["a", "b"].map((requestId, slot) => ({
    requestId,
    slot,
    position: 0,
    tokens: prompt,
    wantsToken: true,
  }));
  const { answers } = await evaluate(port.engine, { operations, work });
  return answers.map(({ requestId, token }, slot) => ({ requestId, slot, position: prompt.length, token }));
}

/** What they draw next in batches of one step, until one of them ends. */
async function twoAnswers(port: PortBench, prompt: readonly number[], steps: number, stopOfB: readonly string[] = []) {
  const answers = await decodeTogether(port.engine, await twoBegun(port, prompt, stopOfB), steps);
  for (const requestId of ["a", "b"]) port.engine.close(requestId);
  return answers;
}
