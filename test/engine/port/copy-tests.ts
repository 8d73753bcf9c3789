/** Copies and cuts: what a slot holds afterwards is what it would hold had it been computed there. */
import { expect, test } from "vitest";
import { continueRequest, generate, openRequest, prefill } from "../../support/drive-engine";
import type { PortBench } from "./port-bench";

export function copyTests(port: PortBench): void {
  test("a copy that is cut back goes on like the prefix computed afresh", async () => {
    const prefix = await port.promptOf("a shared system prompt");
    const [tail, otherTail] = [await port.promptOf("one question", 8), await port.promptOf("what else", 8)];
    for (const requestId of ["a", "b", "c"]) openRequest(port.engine, requestId);
    await prefill(port.engine, { requestId: "a", slot: 0, prompt: prefix, pieceTokens: 16 });
    await continueRequest(port.engine, { requestId: "a", slot: 0, position: prefix.length, tokens: otherTail });
    const operations = [
      { kind: "copy", from: 0, to: 2 } as const,
      { kind: "cut", slot: 2, length: prefix.length } as const,
    ];
    const forked = await continueRequest(port.engine, {
      requestId: "b",
      slot: 2,
      position: prefix.length,
      tokens: tail,
      operations,
    });
    await prefill(port.engine, { requestId: "c", slot: 3, prompt: prefix, pieceTokens: 16 });
    const fresh = await continueRequest(port.engine, {
      requestId: "c",
      slot: 3,
      position: prefix.length,
      tokens: tail,
    });
    expect(forked?.token).toBe(fresh?.token);
  });

  test("the source of a copy goes on as if nothing had happened", async () => {
    const prompt = await port.promptOf("copied while running");
    openRequest(port.engine, "a");
    openRequest(port.engine, "b");
    const alone = await generate(port.engine, { requestId: "a", slot: 0, prompt, steps: 4 });
    await generate(port.engine, { requestId: "b", slot: 1, prompt, steps: 2 });
    port.engine.close("b");
    openRequest(port.engine, "b", { generated: alone.slice(0, 2).map(({ token }) => token) });
    const operations = [{ kind: "copy", from: 1, to: 3 } as const];
    const tokens = [alone[1]?.token ?? 0];
    const third = await continueRequest(port.engine, {
      requestId: "b",
      slot: 1,
      position: prompt.length + 1,
      tokens,
      operations,
    });
    expect(third?.token).toBe(alone[2]?.token);
  });

  test("a slot cut in place goes on like the prefix computed afresh", async () => {
    const prefix = await port.promptOf("kept in its slot");
    const [tail, otherTail] = [await port.promptOf("the next turn", 8), await port.promptOf("thrown away", 8)];
    openRequest(port.engine, "a");
    openRequest(port.engine, "b");
    await prefill(port.engine, { requestId: "a", slot: 0, prompt: prefix, pieceTokens: 16 });
    await continueRequest(port.engine, { requestId: "a", slot: 0, position: prefix.length, tokens: otherTail });
    const operations = [{ kind: "cut", slot: 0, length: prefix.length } as const];
    const warm = await continueRequest(port.engine, {
      requestId: "a",
      slot: 0,
      position: prefix.length,
      tokens: tail,
      operations,
    });
    await prefill(port.engine, { requestId: "b", slot: 1, prompt: prefix, pieceTokens: 16 });
    const fresh = await continueRequest(port.engine, {
      requestId: "b",
      slot: 1,
      position: prefix.length,
      tokens: tail,
    });
    expect(warm?.token).toBe(fresh?.token);
  });
}
