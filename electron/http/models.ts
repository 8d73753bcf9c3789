/** `GET /v1/models` and `/v1/models/{id}`, and the rule by which a request's `model` names the loaded one. */
import type { FastifyInstance } from "fastify";
import type { EngineDescription } from "../../core/contract/engine";
import type { Live } from "../live/live";
import { anthropicModel, anthropicModelList } from "./anthropic/anthropic-models";
import { speaksAnthropic } from "./anthropic/speaks-anthropic";
import { ApiError } from "./api-error";
import type { HttpContext } from "./http-context";
import { splitAlias } from "./identity/caller";
import { route } from "./route";

export function registerModels(app: FastifyInstance, { live, startedAtS }: HttpContext): void {
  for (const url of ["/v1/models", "/models"]) {
    route(app, url, {
      get: async (request) => {
        if (speaksAnthropic(request)) return anthropicModelList(live.engine, startedAtS);
        return { object: "list", data: live.engine ? [modelObject(live.engine, startedAtS)] : [] };
      },
    });
  }
  // A wildcard, because ids may hold slashes; it arrives decoded.
  route(app, "/v1/models/*", {
    get: async (request) => {
      const { "*": id } = request.params as { "*": string };
      if (live.engine && namesModel(id, live.engine)) {
        return (speaksAnthropic(request) ? anthropicModel : modelObject)(live.engine, startedAtS);
      }
      throw unknownModel(id, live.engine);
    },
  });
}

/** The loaded model under the name the client used. Throws 503 while there is none and 404 for another's name. */
export function requireModel(live: Live, model: string): EngineDescription {
  const { engine, health } = live;
  if (engine === null || health === "no_model" || health === "failed") throw noEngine(live);
  if (!namesModel(model, engine)) throw unknownModel(model, engine);
  return engine;
}

export function noEngine({ health }: Live): ApiError {
  switch (health) {
    case "no_model":
      return new ApiError(
        "no_model",
        "No model is loaded. Load one in the app, or start the server with --model FILE.",
      );
    case "failed":
      return new ApiError(
        "engine_unavailable",
        "The engine could not be started again. Restart it in the app, or restart the server.",
      );
    case "loading":
    case "ready":
    case "restarting":
    case "stalled":
      return new ApiError("model_loading", "The model is still loading. Try again in a few seconds.");
    default:
      return health satisfies never;
  }
}

/** Also as `model@agent`; the agent is its sender's name. */
function namesModel(name: string, { modelId }: EngineDescription): boolean {
  return [name, splitAlias(name).model].some((model) => model === "default" || bare(model) === bare(modelId));
}

function bare(name: string): string {
  return name.toLowerCase().replace(/\.gguf$/, "");
}

function unknownModel(name: string, engine: EngineDescription | null): ApiError {
  const instead = engine ? `Loaded is '${engine.modelId}'; use that name or 'default'.` : "No model is loaded.";
  return new ApiError("model_not_found", `The model '${name}' does not exist here. ${instead}`, { param: "model" });
}

function modelObject(engine: EngineDescription, created: number): object {
  return {
    id: engine.modelId,
    object: "model",
    created,
    owned_by: engine.noiseModel
      ? "topas-desktop (noise model: random weights, its text means nothing)"
      : "topas-desktop",
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
