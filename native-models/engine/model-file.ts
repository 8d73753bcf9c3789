/**
 * What the engine has to know of a model file before it loads it, taken from its header. Refuses, in plain words, whatever
 * cannot be a whole model.
 */
import { GgufFileType } from "node-llama-cpp";
import { ModelRefused } from "../../core/contract/engine";
import { type CheckedGguf, checkGguf } from "../catalogue/check-gguf";
import { ModelProblem } from "../catalogue/model-problem";

export interface ModelFile {
  /** As llama.cpp calls it, e.g. `llama`. */
  readonly architecture: string;
  /** E.g. `Q4_1`; "unknown" when the file does not say. */
  readonly quantization: string;
  readonly vocabularySize: number;
  /** 0 when the file does not say. */
  readonly trainedContextTokens: number;
  readonly chatTemplate: string | undefined;
  readonly fileBytes: number;
  /** Bytes of all weights. */
  readonly weightBytes: number;
  /** Keys and values of one token in all layers, 16 bits each. */
  readonly kvBytesPerToken: number;
}

export async function readModelFile(path: string): Promise<ModelFile> {
  const { header, fileBytes, weightBytes } = await check(path);
  const { metadata, arrayLengths } = header;
  const text = (key: string): string | undefined => {
    const value = metadata.get(key);
    return typeof value === "string" ? value : undefined;
  };
  const architecture = text("general.architecture") ?? "unknown";
  const numbers = (name: string): readonly number[] => {
    const value = metadata.get(`${architecture}.${name}`);
    return typeof value === "number" ? [value] : typeof value === "object" ? value : [];
  };
  return {
    architecture,
    quantization: quantizationOf(metadata.get("general.file_type")),
    vocabularySize: arrayLengths.get("tokenizer.ggml.tokens") ?? 0,
    trainedContextTokens: numbers("context_length")[0] ?? 0,
    chatTemplate: text("tokenizer.chat_template"),
    fileBytes,
    weightBytes,
    kvBytesPerToken: kvBytesPerToken(numbers),
  };
}

async function check(path: string): Promise<CheckedGguf> {
  try {
    return await checkGguf(path);
  } catch (error) {
    if (error instanceof ModelProblem) throw new ModelRefused(error.message, error.whatToDo);
    throw error;
  }
}

function quantizationOf(fileType: unknown): string {
  const name = typeof fileType === "number" ? GgufFileType[fileType] : undefined;
  return (name ?? "unknown").replace(/^MOSTLY_|^ALL_/, "");
}

/** `numbers` gives one value for all layers or one for each. */
function kvBytesPerToken(numbers: (name: string) => readonly number[]): number {
  const layers = numbers("block_count")[0] ?? 0;
  const heads = numbers("attention.head_count");
  const kvHeads = numbers("attention.head_count_kv");
  const headWidth = (numbers("embedding_length")[0] ?? 0) / Math.max(1, ...heads);
  const valuesPerHead =
    (numbers("attention.key_length")[0] ?? headWidth) + (numbers("attention.value_length")[0] ?? headWidth);
  return totalOf(kvHeads.length > 0 ? kvHeads : heads, layers) * valuesPerHead * 2;
}

function totalOf(values: readonly number[], layers: number): number {
  if (values.length > 1) return values.reduce((sum, each) => sum + each, 0);
  return (values[0] ?? 1) * layers;
}
