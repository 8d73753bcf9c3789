/**
 * Says in plain words whether a file can be a model, before a process is started for it and again in that process. Must
 * never load the weights: llama.cpp meeting a damaged file may end the process. It does not promise that llama.cpp knows
 * the architecture.
 */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { modelParts } from "./model-parts";
import { fileProblem, ModelProblem } from "./model-problem";
import { NOISE_MODEL_KEY } from "./noise-model";
import { GgufTooShort, NotGguf } from "./not-gguf";
import { type GgufSummary, readGguf } from "./read-gguf";

export interface CheckedGguf {
  readonly noiseModel: boolean;
  /** Of all parts together, like `weightBytes`. */
  readonly fileBytes: number;
  readonly weightBytes: number;
  /** Of the first part, which describes the whole. */
  readonly header: GgufSummary;
}

const DOWNLOAD_AGAIN = "Download it again, or choose another file.";

/** Throws `ModelProblem`: missing, not_gguf or truncated. */
export async function checkGguf(file: string): Promise<CheckedGguf> {
  const first = await checkFile(file);
  const { header } = first;
  if (header.tensorCount === 0) {
    throw new ModelProblem(
      "not_gguf",
      `${file} holds a vocabulary but no weights.`,
      "Choose a GGUF file with a whole model.",
    );
  }
  let { fileBytes } = first;
  let { weightBytes } = header;
  for (const part of modelParts(file).filter((other) => other !== file)) {
    if (!existsSync(part)) {
      throw new ModelProblem(
        "missing",
        `${path.basename(part)} is missing beside ${file}.`,
        "Put all parts of the model into one folder.",
      );
    }
    const other = await checkFile(part);
    fileBytes += other.fileBytes;
    weightBytes += other.header.weightBytes;
  }
  return { noiseModel: header.metadata.get(NOISE_MODEL_KEY) === true, fileBytes, weightBytes, header };
}

async function checkFile(file: string): Promise<{ fileBytes: number; header: GgufSummary }> {
  const { size } = await statFile(file);
  const header = await readHeader(file);
  if (size >= header.bytesMin) return { fileBytes: size, header };
  throw new ModelProblem(
    "truncated",
    `${file} is cut off: it has ${count(size)} of at least ${count(header.bytesMin)} bytes.`,
    DOWNLOAD_AGAIN,
  );
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

async function readHeader(file: string): Promise<GgufSummary> {
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

function count(value: number): string {
  return value.toLocaleString("en-US");
}
