/** A stand-in for Python with pip: "downloads" and "unpacks" what the test gives it, or fails with the words it is given. */
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface FakePython {
  readonly folder: string;
  readonly entry: string;
  readonly content: Buffer;
  /** What pip prints before it fails; null = it works. */
  readonly pipFails?: string;
}

/** Returns the command. */
export function writeFakePython({ folder, entry, content, pipFails }: FakePython): string {
  const file = path.join(folder, "fake-python");
  const source = path.join(folder, "wheel-content");
  writeFileSync(source, content);
  writeFileSync(
    file,
    `#!${process.execPath}
const fs = require("node:fs"), path = require("node:path");
const args = process.argv.slice(2);
if (args.includes("--version")) process.exit(0);
if (args[1] === "pip") {
  const failure = ${JSON.stringify(pipFails ?? null)};
  if (failure !== null) { console.error(failure); process.exit(1); }
  fs.writeFileSync(path.join(args[args.indexOf("--dest") + 1], "package.whl"), "zip");
} else {
  const target = path.join(args[4], ${JSON.stringify(entry)});
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.copyFileSync(${JSON.stringify(source)}, target);
}
`,
  );
  chmodSync(file, 0o755);
  return file;
}
