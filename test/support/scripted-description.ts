/** What the scripted engine says of itself: round numbers, so that durations can be added up in the head. */
import type { CostProfile, EngineDescription } from "../../core/contract/engine";
import type { ScriptedOptions } from "./scripted-options";

const COSTS: CostProfile = {
  prefillMsPerToken: 1,
  stepMs: [10, 12, 14, 16, 18, 20, 22, 24],
  copyMs: 5,
  origin: "given",
};
export function scriptedDescription({
  slots = 4,
  slotTokens = 2048,
  vocabularySize = 1000,
  modelId = "scripted",
  costs = COSTS,
  chat = { templateKnowsTools: true, toolFormat: "generic", templateKnowsThinking: false },
}: ScriptedOptions): EngineDescription {
  return {
    modelId,
    modelPath: "/models/scripted.gguf",
    quantization: "none",
    parameterCount: 0,
    fileBytes: 0,
    noiseModel: false,
    slots,
    slotTokens,
    trainedContextTokens: slotTokens,
    vocabularySize,
    kvBytesPerToken: 1024,
    gpu: { requested: "cpu", effective: "cpu", layersOffloaded: 0, layersTotal: 1, deviceNames: [] },
    threads: { prefill: 1, decode: Array.from({ length: slots }, () => 1) },
    flashAttention: false,
    chat,
    embeddingSize: 8,
    unsupportedSampling: ["typicalP"],
    costs,
    build: "scripted",
    processId: process.pid,
  };
}
