/**
 * Unpacks a zip archive with what Node brings, because it runs before anything else is sure to be there. It knows stored
 * and deflated entries below 4 GB, no encryption, and refuses a path that leads out of the folder.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, open, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;

/**
 * `place` gives for an entry's name the path below `folder`, or null to leave it out.
 * @param {string} archive @param {string} folder @param {(name: string) => string | null} place
 */
export async function unzip(archive, folder, place = (name) => name) {
  const file = await open(archive, "r");
  try {
    for (const entry of await readDirectory(file)) {
      const name = entry.name.endsWith("/") ? null : place(entry.name);
      if (name === null) continue;
      const target = path.resolve(folder, name);
      if (!target.startsWith(path.resolve(folder) + path.sep))
        throw new Error(`${archive} holds a path outside: ${name}`);
      await unpackEntry(archive, { ...entry, dataAt: await dataStart(file, entry) }, target);
    }
  } finally {
    await file.close();
  }
}

async function readDirectory(file) {
  const { size } = await file.stat();
  const tail = await readAt(
    file,
    Math.max(0, size - END_BYTES - COMMENT_BYTES_MAX),
    Math.min(size, END_BYTES + COMMENT_BYTES_MAX),
  );
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) throw new Error("not a zip archive, or cut off");
  const directory = await readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries = [];
  for (let at = 0; at < directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Error("the zip archive's directory is damaged");
    const nameLength = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString("utf8", at + 46, at + 46 + nameLength),
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      mode: directory.readUInt32LE(at + 38) >>> 16,
      headerAt: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The local header repeats the name and may carry other extra fields than the directory: its own lengths count. */
async function dataStart(file, { headerAt }) {
  const header = await readAt(file, headerAt, 30);
  return headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}

async function unpackEntry(archive, { name, method, mode, packedBytes, dataAt }, target) {
  await mkdir(path.dirname(target), { recursive: true });
  if (packedBytes === 0) await writeFile(target, "");
  else {
    const source = createReadStream(archive, { start: dataAt, end: dataAt + packedBytes - 1 });
    const sink = createWriteStream(target);
    if (method === 0) await pipeline(source, sink);
    else if (method === 8) await pipeline(source, createInflateRaw(), sink);
    else throw new Error(`${name} is packed by the unknown method ${method}`);
  }
  if ((mode & 0o777) !== 0) await chmod(target, mode & 0o777);
}

async function readAt(file, position, length) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error("the zip archive is cut off");
  return buffer;
}
