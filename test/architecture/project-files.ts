/** The project's own files, without what is built, fetched or installed. */
import { readdirSync } from "node:fs";
import path from "node:path";

export const PROJECT_FOLDER = path.resolve(import.meta.dirname, "../..");

const NOT_OURS = new Set([
  "node_modules",
  "out",
  ".git",
  ".cache",
  "native-models/models",
  "test/artifacts",
  "release",
]);

/** Paths from the project's root, with forward slashes, sorted. */
export function listProjectFiles(folder = ""): readonly string[] {
  return readdirSync(path.join(PROJECT_FOLDER, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      if (NOT_OURS.has(file) || entry.name === "node_modules") return [];
      return entry.isDirectory() ? listProjectFiles(file) : [file];
    })
    .sort();
}

export function isSource(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file);
}
