/**
 * Reads what a GGUF file says of itself: metadata and how long the file must be. It never reads the weights, and skips
 * arrays (vocabularies) instead of keeping them.
 */
import { type FileHandle, open } from "node:fs/promises";
import { tensorBytes } from "./tensor-bytes";

export interface GgufSummary {
  /** Numbers, strings and booleans by key; arrays are left out. */
  readonly metadata: ReadonlyMap<string, string | number | boolean>;
  readonly tensorCount: number;
  /** The file ends here or later; a lower bound where a tensor's type is newer than this table. */
  readonly bytesMin: number;
}

/** The file is not a GGUF of a known version. */
export class NotGguf extends Error {
  override readonly name = "NotGguf";
}

/** The file ends before its own header does. */
export class GgufTooShort extends Error {
  override readonly name = "GgufTooShort";
}

const HEADER_BYTES_MAX = 256 * 1024 * 1024;
const VERSIONS = [2, 3];

const SCALAR_BYTES: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};
const STRING_TYPE = 8;
const ARRAY_TYPE = 9;

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
  const reader = new Reader(buffer, 4);
  const version = reader.uint32();
  if (!VERSIONS.includes(version)) throw new NotGguf(`it has the unknown GGUF version ${version}`);
  const tensorCount = reader.uint64();
  const keyCount = reader.uint64();

  const metadata = new Map<string, string | number | boolean>();
  for (let key = 0; key < keyCount; key++) {
    const name = reader.text();
    const value = reader.value(reader.uint32());
    if (value !== undefined) metadata.set(name, value);
  }
  let dataBytes = 0;
  for (let tensor = 0; tensor < tensorCount; tensor++) dataBytes = Math.max(dataBytes, reader.tensorEnd());
  const alignment = Number(metadata.get("general.alignment") ?? 32);
  const dataStart = Math.ceil(reader.at / alignment) * alignment;
  return { metadata, tensorCount, bytesMin: tensorCount === 0 ? reader.at : dataStart + dataBytes };
}

class Reader {
  constructor(
    private readonly buffer: Buffer,
    public at: number,
  ) {}

  uint32(): number {
    return this.buffer.readUInt32LE(this.advance(4));
  }

  uint64(): number {
    return Number(this.buffer.readBigUInt64LE(this.advance(8)));
  }

  text(): string {
    const length = this.uint64();
    const from = this.advance(length);
    return this.buffer.toString("utf8", from, from + length);
  }

  /** Of an array nothing but the end is found. */
  value(type: number): string | number | boolean | undefined {
    if (type === STRING_TYPE) return this.text();
    if (type === ARRAY_TYPE) return this.skipArray();
    const from = this.advance(scalarBytes(type));
    switch (type) {
      case 0:
        return this.buffer.readUInt8(from);
      case 4:
        return this.buffer.readUInt32LE(from);
      case 5:
        return this.buffer.readInt32LE(from);
      case 6:
        return this.buffer.readFloatLE(from);
      case 7:
        return this.buffer.readUInt8(from) !== 0;
      case 10:
        return Number(this.buffer.readBigUInt64LE(from));
      default:
        return undefined;
    }
  }

  /** Where one tensor's data ends, counted from the beginning of all data. */
  tensorEnd(): number {
    this.text();
    const dimensions = Array.from({ length: this.uint32() }, () => this.uint64());
    const type = this.uint32();
    return this.uint64() + tensorBytes(dimensions, type);
  }

  private skipArray(): undefined {
    const elementType = this.uint32();
    const length = this.uint64();
    if (elementType !== STRING_TYPE) {
      this.advance(length * scalarBytes(elementType));
      return;
    }
    for (let element = 0; element < length; element++) this.advance(this.uint64());
  }

  private advance(bytes: number): number {
    const from = this.at;
    if (from + bytes > this.buffer.length) throw new RangeError("the buffer ends");
    this.at = from + bytes;
    return from;
  }
}

function scalarBytes(type: number): number {
  const bytes = SCALAR_BYTES[type];
  if (bytes === undefined) throw new NotGguf(`it uses the unknown value type ${type}`);
  return bytes;
}
