/**
 * Lays out a GGUF file of version 3 in memory. It writes what it is given and knows nothing of models;
 * it must never be used for files of many hundred megabytes.
 */

export type GgufValue =
  | { readonly kind: "uint32"; readonly value: number }
  | { readonly kind: "float32"; readonly value: number }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "strings"; readonly value: readonly string[] }
  | { readonly kind: "int32s"; readonly value: readonly number[] };

export interface GgufTensor {
  readonly name: string;
  /** Fastest dimension first, as GGML counts: a matrix is [columns, rows]. */
  readonly dimensions: readonly number[];
  readonly values: Float32Array;
}

const TYPE_ID = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;
const TENSOR_TYPE_F32 = 0;
const ALIGNMENT = 32;

/**
 *   | magic, version, counts | metadata ... | tensor infos ... | 0-padding | tensor 0 | 0-padding | tensor 1 | ...
 *                                                              ^ multiple of 32; offsets in the infos count from here
 */
export function encodeGguf(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const keys = Object.keys(metadata);
  const header = [Buffer.from("GGUF"), uint32(3), uint64(tensors.length), uint64(keys.length)];
  for (const key of keys) header.push(text(key), encodeValue(metadata[key] as GgufValue));

  const data: Buffer[] = [];
  let offset = 0;
  for (const tensor of tensors) {
    header.push(text(tensor.name), uint32(tensor.dimensions.length), ...tensor.dimensions.map(uint64));
    header.push(uint32(TENSOR_TYPE_F32), uint64(offset));
    const bytes = littleEndian(tensor.values);
    data.push(bytes, padding(bytes.length));
    offset += aligned(bytes.length);
  }
  const front = Buffer.concat(header);
  return Buffer.concat([front, padding(front.length), ...data]);
}

function encodeValue(value: GgufValue): Buffer {
  switch (value.kind) {
    case "uint32":
      return Buffer.concat([uint32(TYPE_ID.uint32), uint32(value.value)]);
    case "float32":
      return Buffer.concat([uint32(TYPE_ID.float32), float32(value.value)]);
    case "bool":
      return Buffer.concat([uint32(TYPE_ID.bool), Buffer.of(value.value ? 1 : 0)]);
    case "string":
      return Buffer.concat([uint32(TYPE_ID.string), text(value.value)]);
    case "strings":
      return Buffer.concat([...arrayHead(TYPE_ID.string, value.value.length), ...value.value.map(text)]);
    case "int32s":
      return Buffer.concat([...arrayHead(TYPE_ID.int32, value.value.length), ...value.value.map(int32)]);
    default:
      return value satisfies never;
  }
}

function arrayHead(elementType: number, length: number): Buffer[] {
  return [uint32(TYPE_ID.array), uint32(elementType), uint64(length)];
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

/** GGUF is little-endian, and so is every machine this app is built for: the floats' own memory is the file's. */
function littleEndian(values: Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function padding(length: number): Buffer {
  return Buffer.alloc(aligned(length) - length);
}
