import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_FOLDER } from "./project-files";

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}

const readme = readFileSync(path.join(PROJECT_FOLDER, "README.md"), "utf8");
const manifest: Manifest = JSON.parse(readFileSync(path.join(PROJECT_FOLDER, "package.json"), "utf8"));

/** Made or fetched on the user's machine, so not there in a fresh clone. */
const MADE_LATER = /^(out|\.cache|native-models\/models|test\/artifacts|node_modules)(\/|$)/;

/** Folders that make a text in backticks one of our paths, and not a URL's path, a type or a package. */
const OURS = /^(core|native-models|electron|renderer|test|docs|\.ci)\/[\w./-]*$|^[\w.-]+\.(ts|json|md)$/;

function namedPaths(): readonly string[] {
  const inBackticks = [...readme.matchAll(/`([^`\n]+)`/g)]
    .map(([, text]) => text ?? "")
    .filter((text) => OURS.test(text));
  const linked = [...readme.matchAll(/\]\(([^)\s#]+)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => !target.includes(":"));
  return [...new Set([...inBackticks, ...linked])].filter((file) => !MADE_LATER.test(file));
}

describe("the README", () => {
  it("names only paths that exist", () => {
    const named = namedPaths();
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((file) => !existsSync(path.join(PROJECT_FOLDER, file)))).toEqual([]);
  });

  it("names only scripts that exist", () => {
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script ?? "");
    expect(named).toContain("demo");
    expect(named.filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
  });
});
