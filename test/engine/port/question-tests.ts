/** Questions beside the batches: tokens of a text and back, embeddings. */
import { expect, test } from "vitest";
import { PromptRefused, PromptTooLong } from "../../../core/contract/engine";
import { generate, openRequest } from "../../support/drive-engine";
import type { PortBench } from "./port-bench";

export function questionTests(port: PortBench): void {
  test("a text has the same tokens each time, and they have a text", async () => {
    const options = { addBos: false, special: false };
    const tokens = await port.engine.tokenize("the crew reads on", options);
    expect(tokens.length).toBeGreaterThan(2);
    expect(await port.engine.tokenize("the crew reads on", options)).toEqual(tokens);
    expect(await port.engine.detokenize(tokens)).not.toBe("");
    expect(await port.engine.tokenize("", options)).toEqual([]);
    expect(await port.engine.detokenize([])).toBe("");
  });

  test("a number that is no token is refused by name", async () => {
    const { vocabularySize } = port.engine.description;
    for (const token of [vocabularySize, -1, 1.5]) {
      await expect(port.engine.detokenize([0, token])).rejects.toThrow(`${token} is not a token of this model`);
      await expect(port.engine.embed([[token]], { normalize: true })).rejects.toBeInstanceOf(PromptRefused);
    }
  });

  test("an embedding is the text's own, of the length that the engine says, and 1 long when it is normalized", async () => {
    const [one, other] = [await port.promptOf("a text"), await port.promptOf("another text")];
    const [first, second, third] = await port.engine.embed([one, other, one], { normalize: true });
    expect(first).toHaveLength(port.engine.description.embeddingSize);
    expect(third).toEqual(first);
    expect(second).not.toEqual(first);
    for (const vector of [first, second]) expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 4);
    const [plain] = await port.engine.embed([one], { normalize: false });
    const length = Math.hypot(...(plain ?? []));
    expect(length).toBeGreaterThan(0);
    for (const [index, number] of (plain ?? []).entries()) expect(number / length).toBeCloseTo(first?.[index] ?? 0, 5);
  });

  test("no tokens, or more than a slot holds, have no embedding", async () => {
    const { slotTokens } = port.engine.description;
    await expect(port.engine.embed([[]], { normalize: true })).rejects.toBeInstanceOf(PromptRefused);
    const tooLong = port.engine.embed([Array.from({ length: slotTokens + 1 }, () => 1)], { normalize: true });
    await expect(tooLong).rejects.toBeInstanceOf(PromptTooLong);
    expect(await port.engine.embed([], { normalize: true })).toEqual([]);
  });

  test("embeddings beside an answer change neither", async () => {
    const prompt = await port.promptOf("at the same time");
    const answer = async () => {
      openRequest(port.engine, "a");
      return generate(port.engine, { requestId: "a", slot: 0, prompt, steps: 20 });
    };
    const [alone, [vector]] = [await answer(), await port.engine.embed([prompt], { normalize: true })];
    await port.clearSlots();
    const [beside, [again]] = await Promise.all([answer(), port.engine.embed([prompt], { normalize: true })]);
    expect(beside).toEqual(alone);
    expect(again).toEqual(vector);
  });
}
