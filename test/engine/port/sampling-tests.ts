/** What a request may ask of its draws: biases, log probabilities, a grammar; and that what cannot be obeyed fails alone. */
import { expect, test } from "vitest";
import type { BatchAnswer, SamplingOptions } from "../../../core/contract/engine";
import { PromptRefused } from "../../../core/contract/engine";
import { evaluate, GREEDY, generate, openRequest } from "../../support/drive-engine";
import type { PortBench } from "./port-bench";

const STEPS = 8;

export function samplingTests(port: PortBench): void {
  const draw = async (
    sampling: Partial<SamplingOptions>,
    steps = STEPS,
    stop: string[] = [],
  ): Promise<BatchAnswer[]> => {
    const prompt = await port.promptOf("as the request wants it");
    openRequest(port.engine, "a", { sampling: { ...GREEDY, ...sampling }, stop });
    await evaluate(port.engine, { operations: [{ kind: "cut", slot: 0, length: 0 }], work: [] });
    return generate(port.engine, { requestId: "a", slot: 0, prompt, steps });
  };

  test("a bias of 100 has its token drawn each time, one of -100 never", async () => {
    const free = await draw({});
    const [first, other] = [free[0]?.token ?? 0, (free[0]?.token ?? 0) + 5];
    const forced = await draw({ logitBias: [{ token: other, bias: 100 }] });
    expect(new Set(forced.map(({ token }) => token))).toEqual(new Set([other]));
    const without = await draw({ logitBias: [{ token: first, bias: -100 }], temperature: 1.5, seed: 3 }, 40);
    expect(without.map(({ token }) => token)).not.toContain(first);
    expect(without).toHaveLength(40);
  });

  test("the likeliest tokens come best first, the drawn one with its own log probability", async () => {
    for (const { token, logprob } of await draw({ topLogprobs: 5 })) {
      expect(logprob?.token).toBe(token);
      expect(logprob?.top).toHaveLength(5);
      const chances = logprob?.top.map((chance) => chance.logprob) ?? [];
      expect(chances).toEqual(chances.toSorted((one, other) => other - one));
      expect(chances.reduce((sum, chance) => sum + Math.exp(chance), 0)).toBeLessThanOrEqual(1.000_01);
      expect(logprob?.top[0]?.token).toBe(token);
      expect(logprob?.logprob).toBeCloseTo(chances[0] ?? 1, 5);
    }
  });

  test("log probabilities without the likeliest tokens, and none where nobody asked", async () => {
    const [asked] = await draw({ topLogprobs: 0 }, 1);
    expect(asked?.logprob?.top).toEqual([]);
    expect(asked?.logprob?.logprob).toBeLessThan(0);
    const [plain] = await draw({}, 1);
    expect(plain).not.toHaveProperty("logprob");
  });

  test("the bytes of a token are those of its text", async () => {
    const answers = await draw({ topLogprobs: 0 });
    const bytes = answers.flatMap(({ logprob }) => [...(logprob?.bytes ?? [])]);
    expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(answers.map(({ text }) => text).join(""));
  });

  test("an answer says which of its stop texts ended it", async () => {
    const whole = (await draw({})).map(({ text }) => text).join("");
    const stop = whole.slice(-2);
    const stopped = await draw({}, STEPS, ["~never~", stop]);
    expect(stopped.at(-1)).toMatchObject({ ended: "stop_text", stopText: stop });
    expect(stopped[0]).not.toHaveProperty("stopText");
  });

  test("a grammar that cannot be read fails its own request and no other", async () => {
    const prompt = await port.promptOf("one of two is wrong");
    openRequest(port.engine, "a", { sampling: { ...GREEDY, grammar: "this is no grammar" } });
    openRequest(port.engine, "b");
    const work = ["a", "b"].map((requestId, slot) => ({
      requestId,
      slot,
      position: 0,
      tokens: prompt,
      wantsToken: true,
    }));
    const { answers, failures } = await evaluate(port.engine, { operations: [], work });
    expect(answers.map(({ requestId }) => requestId)).toEqual(["b"]);
    expect(failures).toMatchObject([{ requestId: "a", message: expect.stringContaining("root") }]);
    await expect(port.engine.checkGrammar("this is no grammar")).rejects.toBeInstanceOf(PromptRefused);
    await expect(port.engine.checkGrammar('root ::= "yes" | "no"')).resolves.toBeUndefined();
  });
}
