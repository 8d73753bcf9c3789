import { readFileSync } from "node:fs";
import path from "node:path";
import { getLlama, type Llama, LlamaLogLevel, type LlamaModel, type Token } from "node-llama-cpp";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { checkGguf } from "../../native-models/catalogue/check-gguf";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { sha256 } from "./file-server";
import { temporaryFolder } from "./temporary-folder";

let llama: Llama;
beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.error, maxThreads: 1 });
});

async function load(options: Parameters<typeof writeNoiseModel>[1]): Promise<LlamaModel> {
  const { modelPath } = await writeNoiseModel(path.join(temporaryFolder(), "noise.gguf"), options);
  const model = await llama.loadModel({ modelPath });
  onTestFinished(() => model.dispose());
  return model;
}

/** The likeliest continuation, at most `count` tokens, shorter if it ends by itself. */
async function continueGreedily(model: LlamaModel, text: string, count: number): Promise<readonly Token[]> {
  const context = await model.createContext({ contextSize: 512, threads: 1 });
  const drawn: Token[] = [];
  for await (const token of context.getSequence().evaluate(model.tokenize(text, true), { temperature: 0 })) {
    if (drawn.push(token) === count) break;
  }
  await context.dispose();
  return drawn;
}

const PROMPTS = ["", " again", " and then?"].map(
  (end) => `<|im_start|>user\nPlan the next step${end}<|im_end|>\n<|im_start|>assistant\n`,
);

describe("the noise model", () => {
  it("has the same bytes for the same seed and others for another", async () => {
    const folder = temporaryFolder();
    const sumOf = async (name: string, seed: number) => {
      const { modelPath } = await writeNoiseModel(path.join(folder, name), { size: "tiny", seed });
      return sha256(readFileSync(modelPath));
    };
    const first = await sumOf("first.gguf", 7);
    expect(await sumOf("again.gguf", 7)).toBe(first);
    expect(await sumOf("other.gguf", 8)).not.toBe(first);
  });

  it("says of itself that it is noise", async () => {
    const { modelPath } = await writeNoiseModel(path.join(temporaryFolder(), "harmless-name.gguf"), { size: "tiny" });
    expect(await checkGguf(modelPath)).toMatchObject({ noiseModel: true });
  });

  it.each([
    ["English", "The planner reads the request and hands every step to a worker."],
    ["code", "def step(x):\n\treturn {'a': [1, 2, 3]}  # twice  \n\n"],
    ["other scripts", "naïve café, 日本語, Ελληνικά, العربية, 🎉👩‍👩‍👧"],
    ["control characters", "a\u0000b\u0007c\r\nd\u007fe\u00a0f"],
    ["blanks alone", "   \n  \t "],
    ["nothing", ""],
  ])("gives %s back unchanged from its tokens", async (_, text) => {
    const model = await load({ size: "tiny" });
    expect(model.detokenize(model.tokenize(text))).toBe(text);
  });

  it("needs about as many tokens for English as real models do", async () => {
    const model = await load({ size: "tiny" });
    const text =
      "You are the reviewer. Read the code and the tests, then write a short list of what should change and why. ".repeat(
        8,
      );
    expect(text.length / model.tokenize(text).length).toBeGreaterThan(3);
  });

  it.each(["tiny", "small"] as const)("goes on for as long as it is asked to, in size %s", async (size) => {
    const model = await load({ size });
    for (const prompt of PROMPTS) expect(await continueGreedily(model, prompt, 100)).toHaveLength(100);
  });

  it("answers different prompts differently, and in words", async () => {
    const model = await load({ size: "small" });
    const texts = [];
    for (const prompt of PROMPTS) texts.push(model.detokenize([...(await continueGreedily(model, prompt, 40))]));
    expect(new Set(texts).size).toBe(PROMPTS.length);
    expect(texts.join("")).toMatch(/^[\x20-\x7e]+$/);
  });

  it("ends by itself when it is told to", async () => {
    const model = await load({ size: "tiny", endOfSequenceWeight: 3 });
    for (const prompt of PROMPTS) expect((await continueGreedily(model, prompt, 100)).length).toBeLessThan(100);
  });

  it("carries a chat template with the tokens it names", async () => {
    const model = await load({ size: "tiny" });
    expect(model.fileInfo.metadata.tokenizer.chat_template).toContain("<|im_start|>");
    expect(model.tokenize("<|im_start|><|im_end|>", true)).toEqual([model.tokens.bos, model.tokens.eos]);
  });
});
