/**
 * The way of every request to its model: finds the one it names, waits until that is loaded, and holds it until the request
 * has left. Where the server has one model only, nobody waits.
 */
import type { EventEmitter } from "node:events";
import type { EngineDescription } from "../../core/contract/engine";
import { type KnownModel, ModelNotLoadable, TooManyWait } from "../live/models/known-model";
import type { ModelHouse, Visit } from "../live/models/model-house";
import type { ModelList } from "../live/models/model-list";
import { ApiError } from "./api-error";
import type { HttpContext } from "./http-context";
import { splitAlias } from "./identity/caller";
import { bare, noEngine, requireModel, unknownModel } from "./models";
import { mintRequestId } from "./request-ids";

export interface Models {
  readonly house: ModelHouse;
  readonly list: ModelList;
}

/** Clients give up when they hear nothing for 300 s; a request that is told to come again is not lost. */
const waitsAtMostMs = 240_000;

/** `connection` tells when the client hangs up. Throws an `ApiError` for a name nobody knows, and for a wait in vain. */
export async function enterModel(context: HttpContext, connection: EventEmitter, name: string): Promise<Visit> {
  const { live, models, openAnswers } = context;
  if (models === null) return { engine: requireModel(live, name), leave() {} };
  const model = await knownModel(context, models, name);
  const giveUp = new AbortController();
  const stop = (error: ApiError) => giveUp.abort(error);
  const hangUp = () => stop(new ApiError("request_cancelled", "The client closed the connection."));
  const limit = setTimeout(() => stop(notYet(model)), waitsAtMostMs);
  const ticket = mintRequestId();
  openAnswers.set(ticket, { stop });
  connection.once("close", hangUp);
  try {
    return await models.house.enter(model, giveUp.signal);
  } catch (error) {
    throw toApi(error);
  } finally {
    clearTimeout(limit);
    connection.off("close", hangUp);
    openAnswers.delete(ticket);
  }
}

/** For what is done in one go: the model is held until `use` has its answer. */
export async function withModel<Value>(
  context: HttpContext,
  connection: EventEmitter,
  name: string,
  use: (engine: EngineDescription) => Promise<Value>,
): Promise<Value> {
  const visit = await enterModel(context, connection, name);
  try {
    return await use(visit.engine);
  } finally {
    visit.leave();
  }
}

/** A file may have come since the folders were read. */
export async function knownModel(context: HttpContext, { house, list }: Models, name: string): Promise<KnownModel> {
  const { present } = house;
  if (present === null) throw noEngine(context.live);
  const find = () => namedModel([present, ...list.all], name);
  const found = find();
  if (found !== undefined) return found;
  await list.refresh();
  const later = find();
  if (later !== undefined) return later;
  throw unknownModel(
    name,
    present.modelId,
    list.all.map(({ modelId }) => modelId),
  );
}

/** Also as `model@agent`. `default` is the first. */
function namedModel(models: readonly KnownModel[], name: string): KnownModel | undefined {
  for (const asked of [name, splitAlias(name).model]) {
    if (asked === "default") return models[0];
    const found = models.find(({ modelId }) => bare(modelId) === bare(asked));
    if (found !== undefined) return found;
  }
  return undefined;
}

function notYet({ modelId }: KnownModel): ApiError {
  return new ApiError("model_loading", `The model '${modelId}' could not be loaded in time: others run. Try again.`);
}

function toApi(error: unknown): unknown {
  if (error instanceof TooManyWait) return new ApiError("queue_full", error.message);
  if (error instanceof ModelNotLoadable) return new ApiError("model_not_loadable", error.message, { param: "model" });
  return error;
}
