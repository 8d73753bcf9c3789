/** Of llama.cpp alone: answers that obey a grammar, also after a restart, and what its tokenizer makes of marks. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EnginePort, SamplingOptions } from "../../core/contract/engine";
import { decodeTogether, evaluate, GREEDY, generate, openRequest } from "../support/drive-engine";
import { modelFolderForTests, noiseOptions, recordingObserver, startEngine } from "../support/noise-engine";

const models = modelFolderForTests();
let engine: EnginePort;
beforeAll(async () => {
  engine = await startEngine(noiseOptions(models().modelPath), recordingObserver());
});
afterAll(() => engine.shutdown());

const PROMPT = Array.from({ length: 24 }, (_, index) => 300 + index);
const DATE = String.raw`root ::= "{\"year\": " [0-9]{4} ", \"month\": \"" ("May" | "June") "\"}"`;

async function answer(sampling: Partial<SamplingOptions>, steps = 60, model = engine) {
  openRequest(model, "a", { sampling: { ...GREEDY, ...sampling } });
  await evaluate(model, { operations: [{ kind: "cut", slot: 0, length: 0 }], work: [] });
  return generate(model, { requestId: "a", slot: 0, prompt: PROMPT, steps });
}

test("an answer obeys its grammar from the first token to the last, whatever the temperature, and ends with it", async () => {
  for (const seed of [1, 2, 3, 4]) {
    const answers = await answer({ grammar: DATE, temperature: 1.5, seed });
    const text = answers.map((each) => each.text).join("");
    expect(text).toMatch(/^\{"year": \d{4}, "month": "(May|June)"\}$/);
    expect(answers.at(-1)?.ended).toBe("end_of_sequence");
  }
});

test("after a restart a grammar goes on behind the tokens that were drawn before", async () => {
  const whole = await answer({ grammar: DATE });
  for (const cut of [1, 3, whole.length - 2]) {
    const drawn = whole.slice(0, cut).map(({ token }) => token);
    openRequest(engine, "b", { sampling: { ...GREEDY, grammar: DATE }, generated: drawn });
    const evaluated = [...PROMPT, ...drawn.slice(0, -1)];
    const work = { requestId: "b", slot: 1, position: 0, tokens: evaluated, wantsToken: false };
    await evaluate(engine, { operations: [{ kind: "cut", slot: 1, length: 0 }], work: [work] });
    const last = { requestId: "b", slot: 1, position: evaluated.length, token: drawn.at(-1) ?? 0 };
    const rest = (await decodeTogether(engine, [last], 60)).get("b") ?? [];
    const text = [...whole.slice(0, cut), ...rest].map((each) => each.text).join("");
    expect(text).toMatch(/^\{"year": \d{4}, "month": "(May|June)"\}$/);
  }
});

test("a grammar without a root, with a rule that is missing or that begins with itself is refused, and the engine lives on", async () => {
  for (const grammar of [
    "",
    'start ::= "a"',
    "root ::= other",
    'root ::= root "a" | "b"',
    'root ::= "a',
    "root ::= (",
  ]) {
    await expect(engine.checkGrammar(grammar), grammar).rejects.toThrow("The grammar cannot be read");
  }
  expect(await answer({}, 3)).toHaveLength(3);
});

test("log probabilities are the model's own: temperature, bias and penalties leave them as they are", async () => {
  const [plain] = await answer({ topLogprobs: 4 }, 1);
  const bent = { temperature: 1.7, seed: 5, repeatPenalty: 1.5, topLogprobs: 4, topK: 2 };
  const [other] = await answer({ ...bent, logitBias: [{ token: plain?.token ?? 0, bias: -100 }] }, 1);
  expect(other?.token).not.toBe(plain?.token);
  expect(other?.logprob?.top).toEqual(plain?.logprob?.top);
  const known = plain?.logprob?.top.find(({ token }) => token === other?.token);
  if (known) expect(other?.logprob?.logprob).toBeCloseTo(known.logprob, 5);
});

test("a repeat penalty, and a presence penalty, keep an answer from repeating its tokens", async () => {
  const repeats = async (sampling: Partial<SamplingOptions>) => {
    const tokens = (await answer({ ...sampling, logitBias: [...popular] }, 40)).map(({ token }) => token);
    return tokens.length - new Set(tokens).size;
  };
  // These few are so much likelier than the rest that an answer without a penalty only repeats them.
  const popular = [400, 410, 420, 430].map((token) => ({ token, bias: 20 }));
  const free = await repeats({});
  expect(free).toBeGreaterThan(30);
  expect(await repeats({ repeatPenalty: 4 })).toBeLessThan(free);
});

test("an option that this engine does not have fails the request that wants it", async () => {
  expect(engine.description.unsupportedSampling).toEqual(["typicalP"]);
  openRequest(engine, "a", { sampling: { ...GREEDY, typicalP: 0.5 } });
  const work = [{ requestId: "a", slot: 0, position: 0, tokens: [1], wantsToken: true }];
  const batch = { operations: [{ kind: "cut", slot: 0, length: 0 } as const], work };
  expect((await evaluate(engine, batch)).failures[0]?.message).toContain("typicalP");
});

test("a model that would end its answer goes on where that is to be ignored", async () => {
  const ending = await startEngine(noiseOptions(models().endingModelPath), recordingObserver());
  try {
    const seeded = { temperature: 1, seed: 3 };
    expect((await answer(seeded, 200, ending)).at(-1)?.ended).toBe("end_of_sequence");
    const answers = await answer({ ...seeded, ignoreEndOfSequence: true }, 200, ending);
    expect(answers).toHaveLength(200);
    expect(answers.every(({ ended }) => ended === null)).toBe(true);
  } finally {
    await ending.shutdown();
  }
});

test("marks are tokens of their own only where that is wanted, and any text comes back as it was", async () => {
  const text = "<|im_start|>naïve 😀 text<|im_end|>";
  const [plain, special] = await Promise.all([
    engine.tokenize(text, { addBos: false, special: false }),
    engine.tokenize(text, { addBos: false, special: true }),
  ]);
  expect(special[0]).toBe(1);
  expect(special.at(-1)).toBe(2);
  expect(plain.length).toBeGreaterThan(special.length + 4);
  expect(await engine.detokenize(plain)).toBe(text);
  expect(await engine.detokenize(special)).toBe(text);
});

test("the bytes of the parts of a character make the character", async () => {
  const tokens = await engine.tokenize("😀", { addBos: false, special: false });
  expect(tokens.length).toBeGreaterThan(1);
  const bytes: number[] = [];
  for (const token of tokens) {
    const [drawn] = await answer({ topLogprobs: 0, logitBias: [{ token, bias: 100 }] }, 1);
    bytes.push(...(drawn?.logprob?.bytes ?? []));
  }
  expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe("😀");
});
