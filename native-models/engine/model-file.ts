/**
 * Reads the header of a GGUF file and refuses, in plain words, whatever cannot be a whole model. Must never load the
 * weights: llama.cpp meeting a damaged file may end the process.
 */
import { open, stat } from "node:fs/promises";
import { type GgufFileInfo, GgufFileType, readGgufFileInfo } from "node-llama-cpp";
import { ModelRefused } from "../../core/contract/engine";
import { tensorBytes } from "../catalogue/tensor-bytes";

export interface ModelFile {
  readonly path: string;
  readonly fileBytes: number;
  readonly info: GgufFileInfo;
  /** E.g. `Q4_1`; "unknown" when the file does not say. */
  readonly quantization: string;
  readonly vocabularySize: number;
  /** Bytes of all weights. */
  readonly weightBytes: number;
  /** Keys and values of one token in all layers, 16 bits each. */
  readonly kvBytesPerToken: number;
}

const OTHER_FILE = "Choose a complete .gguf file, or let the app fetch its starter model.";
const DOWNLOAD_AGAIN = "Delete it and download it again, or choose another .gguf file.";

export async function readModelFile(path: string): Promise<ModelFile> {
  const fileBytes = await sizeOf(path);
  await checkMagic(path);
  const info = await readHeader(path);
  const dataBytes = endOfData(info);
  if (info.splicedParts === 1 && dataBytes > fileBytes) {
    throw new ModelRefused(
      `${path} is cut off: it has ${count(fileBytes)} bytes, its header describes ${count(dataBytes)}.`,
      DOWNLOAD_AGAIN,
    );
  }
  const fileType = info.metadata.general.file_type;
  return {
    path,
    fileBytes,
    info,
    quantization:
      fileType === undefined ? "unknown" : (GgufFileType[fileType] ?? "unknown").replace(/^MOSTLY_|^ALL_/, ""),
    vocabularySize: info.metadata.tokenizer?.ggml?.tokens?.length ?? 0,
    weightBytes: Math.max(0, dataBytes - (info.infoEndOffset ?? 0)),
    kvBytesPerToken: kvBytesPerToken(info),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new ModelRefused(`There is no file at ${path}.`, `Check the path. ${OTHER_FILE}`);
    throw new ModelRefused(`${path} cannot be opened (${code}).`, "Check that you may read it.");
  }
  throw new ModelRefused(`${path} is not a file.`, OTHER_FILE);
}

async function checkMagic(path: string): Promise<void> {
  const magic = Buffer.alloc(4);
  try {
    const file = await open(path, "r");
    try {
      await file.read(magic, 0, magic.length, 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new ModelRefused(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      "Check that you may read it.",
    );
  }
  if (magic.toString("latin1") === "GGUF") return;
  throw new ModelRefused(`${path} is not a GGUF model: the file does not begin with "GGUF".`, OTHER_FILE);
}

async function readHeader(path: string): Promise<GgufFileInfo> {
  try {
    return await readGgufFileInfo(path, { sourceType: "filesystem", logWarnings: false });
  } catch (error) {
    throw new ModelRefused(
      `The header of ${path} cannot be read: the file is cut off or damaged (${(error as Error).message}).`,
      DOWNLOAD_AGAIN,
    );
  }
}

/** Where the last tensor that starts in this file ends at the least; its own size needs llama.cpp's table of types. */
function endOfData(info: GgufFileInfo): number {
  let end = info.infoEndOffset ?? 0;
  for (const tensor of info.tensorInfo ?? []) {
    end = Math.max(end, Number(tensor.fileOffset) + tensorBytes(tensor.dimensions, tensor.ggmlType));
  }
  return end;
}

function kvBytesPerToken(info: GgufFileInfo): number {
  const { block_count: layers, embedding_length: width, attention } = info.architectureMetadata;
  const heads = attention?.head_count ?? 1;
  const kvHeads = attention?.head_count_kv ?? heads;
  const headWidth = Number(width ?? 0) / first(heads);
  const valuesPerHead = (attention?.key_length ?? headWidth) + (attention?.value_length ?? headWidth);
  const kvHeadsTotal = Array.isArray(kvHeads)
    ? kvHeads.reduce((sum, each) => sum + each, 0)
    : kvHeads * Number(layers ?? 0);
  return kvHeadsTotal * valuesPerHead * 2;
}

function first(value: number | readonly number[]): number {
  return typeof value === "number" ? value : Math.max(1, ...value);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
