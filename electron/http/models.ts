/** `GET /v1/models` and `/v1/models/{id}`, and the rule by which a request's `model` names one. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { EngineDescription } from "../../core/contract/engine";
import type { Live } from "../live/live";
import type { KnownModel } from "../live/models/known-model";
import { anthropicModel, anthropicModelList, anthropicModelOnDisk } from "./anthropic/anthropic-models";
import { speaksAnthropic } from "./anthropic/speaks-anthropic";
import { ApiError } from "./api-error";
import { knownModel, type Models } from "./enter-model";
import type { HttpContext } from "./http-context";
import { splitAlias } from "./identity/caller";
import { modelObject, modelOnDisk } from "./model-objects";
import { route } from "./route";

export function registerModels(app: FastifyInstance, context: HttpContext): void {
  const { live, models, startedAtS } = context;
  for (const url of ["/v1/models", "/models"]) {
    route(app, url, {
      get: async (request) => {
        await models?.list.refresh();
        const data = shown(models).map((model) => describe(context, request, model));
        const all = models === null && live.engine !== null ? [loaded(request, live.engine, startedAtS)] : data;
        return speaksAnthropic(request) ? anthropicModelList(all) : { object: "list", data: all };
      },
    });
  }
  // A wildcard, because ids may hold slashes; it arrives decoded.
  route(app, "/v1/models/*", {
    get: async (request) => {
      const { "*": id } = request.params as { "*": string };
      if (models !== null) return describe(context, request, await knownModel(context, models, id));
      if (live.engine !== null && namesModel(id, live.engine)) return loaded(request, live.engine, startedAtS);
      throw unknownModel(id, live.engine?.modelId ?? null);
    },
  });
}

/** The present one first. */
function shown(models: Models | null): readonly KnownModel[] {
  if (models === null) return [];
  const { present } = models.house;
  const others = models.list.all.filter(({ modelPath }) => modelPath !== present?.modelPath);
  return present === null ? others : [present, ...others];
}

function describe({ live, models, startedAtS }: HttpContext, request: FastifyRequest, model: KnownModel): object {
  const state = models?.house.stateOf(model) ?? "unloaded";
  const waiting = models?.house.waitingFor(model) ?? 0;
  const described =
    state === "loaded" && live.engine !== null
      ? loaded(request, live.engine, startedAtS)
      : (speaksAnthropic(request) ? anthropicModelOnDisk : modelOnDisk)(model, startedAtS);
  return speaksAnthropic(request) ? described : { ...described, status: { value: state, requests_waiting: waiting } };
}

function loaded(request: FastifyRequest, engine: EngineDescription, createdS: number): object {
  return (speaksAnthropic(request) ? anthropicModel : modelObject)(engine, createdS);
}

/** The loaded model under the name the client used. Throws 503 while there is none and 404 for another's name. */
export function requireModel(live: Live, model: string): EngineDescription {
  const { engine, health } = live;
  if (engine === null || health === "no_model" || health === "failed") throw noEngine(live);
  if (!namesModel(model, engine)) throw unknownModel(model, engine.modelId);
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

/** Names are the same whatever their case, with the file's ending or without. */
export function bare(name: string): string {
  return name.toLowerCase().replace(/\.gguf$/, "");
}

export function unknownModel(name: string, loadedId: string | null, others: readonly string[] = []): ApiError {
  const instead = loadedId === null ? "No model is loaded." : `Loaded is '${loadedId}'; use that name or 'default'.`;
  const more = others.filter((other) => other !== loadedId).map((other) => `'${other}'`);
  const also = more.length === 0 ? "" : ` Others here: ${more.join(", ")}.`;
  return new ApiError("model_not_found", `The model '${name}' does not exist here. ${instead}${also}`, {
    param: "model",
  });
}
