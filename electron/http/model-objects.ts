/** A model as OpenAI's `GET /v1/models` shows it, with what clients of vLLM and llama-server look for besides. */
import type { EngineDescription } from "../../core/contract/engine";
import type { KnownModel } from "../live/models/known-model";

export function modelObject(engine: EngineDescription, created: number): object {
  return {
    id: engine.modelId,
    object: "model",
    created,
    owned_by: ownerOf(engine),
    max_model_len: engine.slotTokens,
    context_length: engine.slotTokens,
    meta: {
      noise_model: engine.noiseModel,
      slots: engine.slots,
      n_ctx: engine.slotTokens,
      n_ctx_train: engine.trainedContextTokens,
      n_vocab: engine.vocabularySize,
      n_params: engine.parameterCount,
      size: engine.fileBytes,
      quantization: engine.quantization,
      kv_bytes_per_token: engine.kvBytesPerToken,
      gpu: engine.gpu.effective,
    },
  };
}

/** One that is not loaded: what it can hold is known only afterwards. */
export function modelOnDisk(model: KnownModel, created: number): object {
  return {
    id: model.modelId,
    object: "model",
    created,
    owned_by: ownerOf(model),
    meta: { noise_model: model.noiseModel, size: model.fileBytes },
  };
}

function ownerOf({ noiseModel }: { readonly noiseModel: boolean }): string {
  return noiseModel ? "topas-desktop (noise model: random weights, its text means nothing)" : "topas-desktop";
}
