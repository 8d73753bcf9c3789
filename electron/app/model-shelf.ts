/**
 * Finds and loads models: the one of the options at the start, those the user chooses in the window, and those that
 * requests name, which with --single-model is only what is loaded. Says in the status what it does.
 */
import { type EngineDescription, EngineLost, type EnginePort } from "../../core/contract/engine";
import type { CommandResult, ModelStatus } from "../../core/contract/window";
import type { Models } from "../http/enter-model";
import type { RunningLive } from "../live/create-live";
import type { KnownModel } from "../live/models/known-model";
import { ModelHouse } from "../live/models/model-house";
import { ModelList } from "../live/models/model-list";
import type { StatusBoard } from "./app-status";
import type { ServerOptions } from "./options";

export interface FoundModel {
  readonly modelPath: string;
  readonly modelId: string;
  readonly noiseModel: boolean;
}

export interface ModelParts {
  /** Null = the starter model. Rejects with an error whose `whatToDo` says what helps. */
  findModel(namedPath: string | null, report: (status: ModelStatus) => void): Promise<FoundModel>;
  /** The models in the folders. */
  listModels(): Promise<readonly KnownModel[]>;
}

export interface ModelShelf {
  /** What requests may name. */
  readonly models: Models;
  /** Never rejects: the status says what went wrong. */
  loadModel(namedPath: string | null): Promise<CommandResult>;
  /** Also of a model that was put away for idleness. */
  whenReady(): Promise<EnginePort>;
}

const patienceMs = 30_000;
const lingerMs = 1_000;

export function createModelShelf(
  options: ServerOptions,
  parts: ModelParts,
  live: RunningLive,
  board: StatusBoard,
): ModelShelf {
  const house = createHouse(options, live, board);
  const list = new ModelList(options.manyModels ? parts.listModels : async () => [], live.timers);
  let isLoading = false;

  async function load(namedPath: string | null): Promise<void> {
    live.supervisor.expect();
    const model = { ...(await parts.findModel(namedPath, (status) => board.setModel(status))), fileBytes: null };
    if (options.manyModels) list.choose(model);
    await house.choose(model);
  }

  return {
    models: { house, list },
    async loadModel(namedPath) {
      if (isLoading) return { ok: false, message: "Another model is being loaded." };
      isLoading = true;
      try {
        await load(namedPath);
        return { ok: true };
      } catch (error) {
        const message = messageOf(error);
        live.supervisor.expectNoMore(message);
        board.setModel({ phase: "failed", message, whatToDo: whatHelps(error) });
        return { ok: false, message };
      } finally {
        isLoading = false;
      }
    },
    async whenReady() {
      const { present, isAsleep } = house;
      if (isAsleep && present !== null) (await house.enter(present, new AbortController().signal)).leave();
      return live.supervisor.whenReady();
    },
  };
}

function createHouse(options: ServerOptions, live: RunningLive, board: StatusBoard): ModelHouse {
  const { slots, contextTokens: slotTokens, gpu, threads, queueMax: waitingMax, idleUnloadMin } = options;
  const idleMs = idleUnloadMin === null ? null : idleUnloadMin * 60_000;

  async function load({ modelPath, modelId, noiseModel }: KnownModel): Promise<EngineDescription> {
    board.nameModel(modelId);
    try {
      const model = { modelPath, modelId, noiseModel };
      const port = await live.load({ ...model, slots, slotTokens, gpu, gpuLayers: "auto", threads });
      return port.description;
    } catch (error) {
      const note = `${modelId} could not be loaded: ${messageOf(error)} The next request loads what it names.`;
      board.setModel({ phase: "looking", note });
      throw error;
    }
  }

  async function unload(): Promise<void> {
    const name = house.present?.modelId;
    await live.unload();
    const note = `${name} was unloaded: nobody used it for ${idleUnloadMin} minutes. The next request loads it again.`;
    board.setModel({ phase: "looking", note });
  }

  const house = new ModelHouse({ timers: live.timers, load, unload }, { patienceMs, lingerMs, idleMs, waitingMax });
  return house;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function whatHelps(error: unknown): string {
  if (error instanceof Error && "whatToDo" in error) return String(error.whatToDo);
  if (error instanceof EngineLost)
    return "Try again. If it happens again, take a smaller model, fewer slots or a shorter context.";
  return "Choose another GGUF file.";
}
