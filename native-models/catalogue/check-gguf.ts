/**
 * Says in plain words whether a file can be a model, before a process is started for it. It does not promise that
 * llama.cpp knows the architecture.
 */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { fileProblem, ModelProblem } from "./model-problem";
import { NOISE_MODEL_KEY } from "./noise-model";
import { type GgufSummary, GgufTooShort, NotGguf, readGguf } from "./read-gguf";

export interface CheckedGguf {
  readonly noiseModel: boolean;
}

const DOWNLOAD_AGAIN = "Download it again, or choose another file.";

/** Throws `ModelProblem`: missing, not_gguf or truncated. */
export async function checkGguf(file: string): Promise<CheckedGguf> {
  const { size } = await statFile(file);
  const summary = await summarize(file);
  if (summary.tensorCount === 0) {
    throw new ModelProblem(
      "not_gguf",
      `${file} holds a vocabulary but no weights.`,
      "Choose a GGUF file with a whole model.",
    );
  }
  if (size < summary.bytesMin) {
    throw new ModelProblem(
      "truncated",
      `${file} is cut off: it has ${size} of at least ${summary.bytesMin} bytes.`,
      DOWNLOAD_AGAIN,
    );
  }
  checkParts(file);
  return { noiseModel: summary.metadata.get(NOISE_MODEL_KEY) === true };
}

async function statFile(file: string): Promise<{ readonly size: number }> {
  const found = await stat(file).catch((error: unknown) => {
    throw fileProblem(error, file);
  });
  if (!found.isFile()) {
    throw new ModelProblem("missing", `${file} is not a file.`, "Name a file that ends in .gguf, not a folder.");
  }
  return found;
}

async function summarize(file: string): Promise<GgufSummary> {
  try {
    return await readGguf(file);
  } catch (error) {
    if (error instanceof NotGguf) {
      throw new ModelProblem(
        "not_gguf",
        `${file} is not a GGUF model: ${error.message}.`,
        "Choose a model file in the GGUF format.",
      );
    }
    if (error instanceof GgufTooShort) {
      throw new ModelProblem("truncated", `${file} is cut off: ${error.message}.`, DOWNLOAD_AGAIN);
    }
    throw fileProblem(error, file);
  }
}

/** Of a model in parts (`name-00001-of-00003.gguf`) llama.cpp wants the first one named and all in one folder. */
function checkParts(file: string): void {
  const parts = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/.exec(path.basename(file));
  if (parts === null) return;
  const [, name, , count] = parts;
  for (let part = 1; part <= Number(count); part++) {
    const partName = `${name}-${String(part).padStart(5, "0")}-of-${count}.gguf`;
    if (!existsSync(path.join(path.dirname(file), partName))) {
      throw new ModelProblem(
        "missing",
        `${partName} is missing beside ${file}.`,
        "Put all parts of the model into one folder.",
      );
    }
  }
}
