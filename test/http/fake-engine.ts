/** The description of a small model for tests that load none. */
import type { EngineDescription } from "../../core/contract/engine";

export const fakeEngine: EngineDescription = {
  modelId: "Org/Tiny-Model:Q4_1",
  modelPath: "/models/tiny.gguf",
  quantization: "Q4_1",
  parameterCount: 135_000_000,
  fileBytes: 98_000_000,
  noiseModel: false,
  slots: 2,
  slotTokens: 64,
  trainedContextTokens: 2048,
  vocabularySize: 49_152,
  kvBytesPerToken: 23_040,
  gpu: { requested: "cpu", effective: "cpu", layersOffloaded: 0, layersTotal: 30, deviceNames: [] },
  threads: { prefill: 2, decode: [1] },
  flashAttention: false,
  chat: { templateKnowsTools: false, toolFormat: "generic", templateKnowsThinking: false },
  embeddingSize: 8,
  unsupportedSampling: ["typicalP"],
  costs: { prefillMsPerToken: 4, stepMs: [16], copyMs: 10, origin: "given" },
  build: "test",
  processId: 1,
};
