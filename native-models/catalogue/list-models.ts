/** The models in some folders that can be loaded, in the order of the folders and of their names. Noise models are among them. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { checkGguf } from "./check-gguf";
import { isModelFile } from "./model-file";
import { modelIdOf } from "./model-id";
import { ModelProblem } from "./model-problem";

export interface ListedModel {
  readonly modelPath: string;
  readonly modelId: string;
  readonly noiseModel: boolean;
  readonly fileBytes: number;
}

/** Of several files with one name in the API only the first is listed; what cannot be loaded is left out. */
export async function listModels(folders: readonly string[]): Promise<readonly ListedModel[]> {
  const found = new Map<string, ListedModel>();
  for (const folder of folders) {
    const names = (await readdir(folder).catch(() => [])).filter(isModelFile).sort();
    for (const name of names) {
      const model = await describe(path.join(folder, name));
      const key = model?.modelId.toLowerCase();
      if (model !== null && key !== undefined && !found.has(key)) found.set(key, model);
    }
  }
  return [...found.values()];
}

async function describe(modelPath: string): Promise<ListedModel | null> {
  try {
    const { noiseModel, fileBytes } = await checkGguf(modelPath);
    return { modelPath, modelId: modelIdOf(modelPath), noiseModel, fileBytes };
  } catch (error) {
    if (error instanceof ModelProblem) return null;
    throw error;
  }
}
