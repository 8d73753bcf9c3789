/**
 * Reads what a GGUF file says of itself: metadata and how long the file must be. It never reads the weights, and of long
 * arrays and of texts in arrays (vocabularies) it keeps the length only.
 */
import { type FileHandle, open } from "node:fs/promises";
import { ARRAY_TYPE, GgufBytes, type GgufValue } from "./gguf-bytes";
import { GgufTooShort, NotGguf } from "./not-gguf";

export interface GgufSummary {
  /** Numbers, strings, booleans and short arrays of numbers (one value a layer) by key. */
  readonly metadata: ReadonlyMap<string, GgufValue>;
  /** Of all arrays, by key. */
  readonly arrayLengths: ReadonlyMap<string, number>;
  readonly tensorCount: number;
  /** All weights; a lower bound like `bytesMin`. */
  readonly weightBytes: number;
  /** The file ends here or later; a lower bound where a tensor's type is newer than this table. */
  readonly bytesMin: number;
}

const HEADER_BYTES_MAX = 256 * 1024 * 1024;
const VERSIONS = [2, 3];

export async function readGguf(file: string): Promise<GgufSummary> {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    for (let length = Math.min(size, 4 * 1024 * 1024); ; length = Math.min(size, length * 4)) {
      try {
        return parse(await readStart(handle, length));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        if (length === size) throw new GgufTooShort(`it ends inside its header, after ${size} bytes`);
        if (length > HEADER_BYTES_MAX) throw new NotGguf("its header is larger than 256 MiB");
      }
    }
  } finally {
    await handle.close();
  }
}

async function readStart(handle: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, 0);
  return buffer.subarray(0, bytesRead);
}

/** Throws RangeError where the buffer ends too early. */
function parse(buffer: Buffer): GgufSummary {
  const start = buffer.subarray(0, 4).toString("latin1");
  if (!"GGUF".startsWith(start)) throw new NotGguf("it does not begin with the letters GGUF");
  const reader = new GgufBytes(buffer, 4);
  const version = reader.uint32();
  if (!VERSIONS.includes(version)) throw new NotGguf(`it has the unknown GGUF version ${version}`);
  const tensorCount = reader.uint64();
  const keyCount = reader.uint64();

  const metadata = new Map<string, GgufValue>();
  const arrayLengths = new Map<string, number>();
  for (let key = 0; key < keyCount; key++) {
    const name = reader.text();
    const type = reader.uint32();
    if (type !== ARRAY_TYPE) {
      metadata.set(name, reader.value(type));
      continue;
    }
    const { length, numbers } = reader.array();
    arrayLengths.set(name, length);
    if (numbers !== null) metadata.set(name, numbers);
  }
  let dataBytes = 0;
  for (let tensor = 0; tensor < tensorCount; tensor++) dataBytes = Math.max(dataBytes, reader.tensorEnd());
  const alignment = Number(metadata.get("general.alignment") ?? 32);
  const dataStart = Math.ceil(reader.at / alignment) * alignment;
  const bytesMin = tensorCount === 0 ? reader.at : dataStart + dataBytes;
  return { metadata, arrayLengths, tensorCount, weightBytes: dataBytes, bytesMin };
}
