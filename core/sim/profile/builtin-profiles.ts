/** The built-in machines. Their numbers are fixed; how they were reckoned stands in each note. */
import type { MachineProfile } from "./profile";

/** Steps with 1 to `most` running requests on a machine that reads its weights once a step. */
function evenSteps(weightsMs: number, requestMs: number, most: number): readonly number[] {
  return Array.from({ length: most }, (_, index) => weightsMs + requestMs * (index + 1));
}

const a100: MachineProfile = {
  name: "a100",
  note:
    "Qwen2.5-32B in bf16 on one A100 with 80 GB, from public figures. Weights 65.6 GB; KV cache 64 layers x 8 heads x 128 x 2 x " +
    "2 bytes = 256 KiB a token; 90 % of 80 GB less the weights = 24,414 tokens, rounded down to 24,000. Prefill: 312 TFLOPS at 55 % " +
    "over 2 x 32.8 billion = 2,616 tokens/s. Decode: 65.6 GB at 85 % of 2.04 TB/s = 37.8 ms, and 0.35 ms for each request " +
    "(some 1,300 tokens of KV cache read, and its kernels). RAM tier over PCIe 4 x16 at 20 GB/s, 64 GiB of it.",
  prefillMsPerToken: 0.382,
  stepMs: evenSteps(37.8, 0.35, 64),
  copyMs: 0,
  saveMsPerToken: 0.0131,
  restoreMsPerToken: 0.0131,
  pool: { kind: "tokens", budgetTokens: 24_000 },
  ramTierTokens: 262_144,
};

const consumer8b: MachineProfile = {
  name: "consumer-8b",
  note:
    "A model of 8 billion parameters with grouped queries in 4 bit on a card with 12 GB, 360 GB/s and some 25 TFLOPS of fp16. Weights " +
    "4.9 GB; KV cache 128 KiB a token. Prefill 1,200 tokens/s. Decode: 4.9 GB at 80 % of 360 GB/s = 17 ms, and 1.2 ms for each " +
    "request. Copy: 2,000 tokens at 250 GB/s = 1 ms. RAM tier at 12 GB/s, 16 GiB of it.",
  prefillMsPerToken: 1000 / 1200,
  stepMs: evenSteps(17, 1.2, 64),
  copyMs: 1,
  saveMsPerToken: 0.011,
  restoreMsPerToken: 0.011,
  pool: { kind: "slots", slots: 4, slotTokens: 8192 },
  ramTierTokens: 131_072,
};

const thisMachine: MachineProfile = {
  name: "this-machine",
  note:
    "The starter model (135 million parameters) on two CPU cores, as the app calibrated it: prefill 240 tokens/s, steps of 1 to 8 " +
    "requests measured at 1, 2, 4 and 8 and laid between. RAM tier of 64 Ki tokens.",
  prefillMsPerToken: 4.17,
  stepMs: [15, 26, 31, 37, 43, 48, 54, 59],
  copyMs: 12,
  saveMsPerToken: 0.02,
  restoreMsPerToken: 0.02,
  pool: { kind: "slots", slots: 4, slotTokens: 2048 },
  ramTierTokens: 65_536,
};

export const builtinProfiles: readonly MachineProfile[] = [a100, consumer8b, thisMachine];
