/** What the engine says of the model file and of the machine's graphics. */
import type { Llama, LlamaModel } from "node-llama-cpp";
import type { EngineDescription, EngineOptions } from "../../core/contract/engine";
import type { ModelFile } from "./model-file";

export function describeFile(file: ModelFile, { modelId, modelPath, noiseModel, slots, slotTokens }: EngineOptions) {
  const { quantization, fileBytes, vocabularySize, kvBytesPerToken } = file;
  return {
    modelId,
    modelPath,
    noiseModel,
    slots,
    slotTokens,
    quantization,
    fileBytes,
    vocabularySize,
    kvBytesPerToken,
  };
}

export async function describeGpu(
  llama: Llama,
  model: LlamaModel,
  { gpu }: EngineOptions,
): Promise<EngineDescription["gpu"]> {
  return {
    requested: gpu,
    effective: llama.gpu === false ? "cpu" : llama.gpu,
    layersOffloaded: model.gpuLayers,
    layersTotal: model.fileInsights.totalLayers,
    deviceNames: llama.gpu === false ? [] : await llama.getGpuDeviceNames(),
  };
}
