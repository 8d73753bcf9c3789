/**
 * Reads the values of a GGUF header one after the other. Must never read past the end of its buffer: a RangeError there
 * says that more of the file is needed.
 */
import { NotGguf } from "./not-gguf";
import { tensorBytes } from "./tensor-bytes";

export type GgufValue = string | number | boolean | readonly number[];

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
const BOOLEAN_TYPE = 7;
const STRING_TYPE = 8;
export const ARRAY_TYPE = 9;
/** More layers than any model has, fewer than any vocabulary. */
const ARRAY_KEPT_MAX = 1024;

export class GgufBytes {
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

  value(type: number): string | number | boolean {
    if (type === STRING_TYPE) return this.text();
    const number = this.number(type);
    return type === BOOLEAN_TYPE ? number !== 0 : number;
  }

  array(): { readonly length: number; readonly numbers: readonly number[] | null } {
    const elementType = this.uint32();
    const length = this.uint64();
    if (elementType === STRING_TYPE) {
      for (let element = 0; element < length; element++) this.advance(this.uint64());
      return { length, numbers: null };
    }
    if (length <= ARRAY_KEPT_MAX) {
      return { length, numbers: Array.from({ length }, () => this.number(elementType)) };
    }
    this.advance(length * scalarBytes(elementType));
    return { length, numbers: null };
  }

  private number(type: number): number {
    const from = this.advance(scalarBytes(type));
    switch (type) {
      case 0:
      case BOOLEAN_TYPE:
        return this.buffer.readUInt8(from);
      case 1:
        return this.buffer.readInt8(from);
      case 2:
        return this.buffer.readUInt16LE(from);
      case 3:
        return this.buffer.readInt16LE(from);
      case 4:
        return this.buffer.readUInt32LE(from);
      case 5:
        return this.buffer.readInt32LE(from);
      case 6:
        return this.buffer.readFloatLE(from);
      case 10:
        return Number(this.buffer.readBigUInt64LE(from));
      case 11:
        return Number(this.buffer.readBigInt64LE(from));
      case 12:
        return this.buffer.readDoubleLE(from);
      default:
        throw unknownType(type);
    }
  }

  /** Where one tensor's data ends, counted from the beginning of all data. */
  tensorEnd(): number {
    this.text();
    const dimensions = Array.from({ length: this.uint32() }, () => this.uint64());
    const type = this.uint32();
    return this.uint64() + tensorBytes(dimensions, type);
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
  if (bytes === undefined) throw unknownType(type);
  return bytes;
}

function unknownType(type: number): NotGguf {
  return new NotGguf(`it uses the unknown value type ${type}`);
}
