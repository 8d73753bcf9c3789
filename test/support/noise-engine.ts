/** Starts the real engine in its child process with a tiny noise model, as the tests need it: one thread, no graphics. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import type { EngineObserver, EngineOptions } from "../../core/contract/engine";
import { writeNoiseModel } from "../../native-models/catalogue/noise-model";
import { spawnChildProcess } from "../../native-models/process/spawn-child-process";
import { engineStarter } from "../../native-models/process/start-engine";

/** Built by `npm test` before the tests run. */
export const ENGINE_ENTRY = fileURLToPath(new URL("../../out/main/engine.js", import.meta.url));

export const spawnEngine = spawnChildProcess(ENGINE_ENTRY);
export const startEngine = engineStarter(spawnEngine);

export interface ModelFolder {
  readonly folder: string;
  readonly modelPath: string;
  /** Its answers end within some ten tokens. */
  readonly endingModelPath: string;
}

/** Makes the folder before the tests of this file and takes it away after them. */
export function modelFolderForTests(): () => ModelFolder {
  let models: ModelFolder | null = null;
  beforeAll(async () => {
    models = await createModelFolder();
  });
  afterAll(async () => {
    if (models !== null) await rm(models.folder, { recursive: true, force: true });
  });
  return () => {
    if (models === null) throw new Error("The models are there only while a test runs.");
    return models;
  };
}

async function createModelFolder(): Promise<ModelFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), "topas-engine-"));
  const modelPath = path.join(folder, "noise.gguf");
  const endingModelPath = path.join(folder, "ending.gguf");
  await writeNoiseModel(modelPath, { size: "tiny" });
  await writeNoiseModel(endingModelPath, { size: "tiny", endOfSequenceWeight: 3 });
  return { folder, modelPath, endingModelPath };
}

export function noiseOptions(modelPath: string): EngineOptions {
  return {
    modelPath,
    modelId: "noise-tiny",
    noiseModel: true,
    slots: 4,
    slotTokens: 512,
    gpu: "cpu",
    gpuLayers: "auto",
    threads: 1,
  };
}

export interface RecordingObserver extends EngineObserver {
  readonly lines: string[];
  readonly losses: string[];
  readonly stalls: boolean[];
  /** Resolves at the next loss or stall. */
  next(): Promise<void>;
}

export function recordingObserver(): RecordingObserver {
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const observer: RecordingObserver = {
    lines: [],
    losses: [],
    stalls: [],
    progress: () => undefined,
    log: (line) => observer.lines.push(line),
    lost(reason) {
      observer.losses.push(reason);
      wake();
    },
    stalled(isStalled) {
      observer.stalls.push(isStalled);
      wake();
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
  return observer;
}
