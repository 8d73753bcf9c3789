/** What the app says of itself while a made-up engine is ready. */
import type { EngineDescription } from "../../../core/contract/engine";
import type { AppStatus } from "../../../core/contract/window";
import { NOW_MS } from "./parts";

export const engine: EngineDescription = {
  modelId: "SmolLM2-135M-Instruct",
  modelPath: "/models/SmolLM2-135M-Instruct.Q4_1.gguf",
  quantization: "Q4_1",
  parameterCount: 134_515_008,
  fileBytes: 98_362_432,
  noiseModel: false,
  slots: 4,
  slotTokens: 2_048,
  trainedContextTokens: 8_192,
  vocabularySize: 49_152,
  kvBytesPerToken: 23_040,
  gpu: { requested: "auto", effective: "cpu", layersOffloaded: 0, layersTotal: 30, deviceNames: [] },
  threads: { prefill: 2, decode: [1, 1, 1, 2] },
  flashAttention: true,
  chat: { templateKnowsTools: false, toolFormat: "generic", templateKnowsThinking: false },
  embeddingSize: 576,
  unsupportedSampling: ["typicalP"],
  costs: { prefillMsPerToken: 4.2, stepMs: [16, 18, 21, 25], copyMs: 10, origin: "calibrated" },
  build: "b1",
  processId: 1,
};

export const readyStatus: AppStatus = {
  version: "0.1.0",
  platform: "linux",
  url: "http://127.0.0.1:8642/v1",
  serverProblem: null,
  journalProblem: null,
  recording: null,
  model: { phase: "ready", engine },
  outage: null,
  demo: { phase: "idle" },
  nowMs: NOW_MS,
};
