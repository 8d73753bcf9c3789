/** Writes a small zip archive, entry by entry as given, so that a test knows every byte of it. */
import { deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: string;
  readonly stored?: boolean;
  readonly mode?: number;
  /** Overrides the packing method's number. */
  readonly method?: number;
}

export function tinyZip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { local, central } = encodeEntry(entry, at);
    files.push(local);
    directory.push(central);
    at += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directoryBytes.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, directoryBytes, end]);
}

function encodeEntry({ name, content, stored = false, mode = 0o644, method }: ZipEntry, at: number) {
  const raw = Buffer.from(content);
  const packed = stored ? raw : deflateRawSync(raw);
  const nameBytes = Buffer.from(name);
  // Other extra fields than in the directory, as real archives have: readers must use the local lengths.
  const extra = Buffer.alloc(8);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(nameBytes.length, 26);
  local.writeUInt16LE(extra.length, 28);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(method ?? (stored ? 0 : 8), 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(raw.length, 24);
  central.writeUInt16LE(nameBytes.length, 28);
  central.writeUInt32LE((mode << 16) >>> 0, 38);
  central.writeUInt32LE(at, 42);
  return { local: Buffer.concat([local, nameBytes, extra, packed]), central: Buffer.concat([central, nameBytes]) };
}
