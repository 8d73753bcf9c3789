/**
 * Which folder may import what: the table that keeps the scheduler pure and the window dumb. `brokenRules` says in a
 * sentence each what a source file does against it; a file in no layer breaks it by being there.
 */
import { builtinModules } from "node:module";
import path from "node:path";
import type { Source, SourceImport } from "./read-source";

interface Layer {
  /** Paths it owns; the first layer that fits counts. */
  readonly owns: RegExp;
  /** Files it may import. Its own are to be named too. */
  readonly files: RegExp;
  /** Files it may import types from, besides. */
  readonly types?: RegExp;
  readonly packages: RegExp;
  readonly node: boolean;
}

const NOTHING = /^$/;
const CORE_PLAN = /^core\/(topas|policies|contract)\//;

/** The only files of the shell that know llama.cpp's folder: they hand its functions to the rest. */
const COMPOSITION = { window: /^electron\/main\.ts$/, headless: /^electron\/node-app\.ts$/ };
const COMPOSED = /^(core|electron|native-models)\//;

/** What is started from a terminal. */
const PROGRAMS = /^electron\/(headless|demo\/main|demo\/run-demo)\.ts$/;

const LAYERS: readonly Layer[] = [
  { owns: /^core\/contract\//, files: /^core\/contract\//, types: /^core\//, packages: NOTHING, node: false },
  { owns: /^core\/(topas|policies)\//, files: CORE_PLAN, packages: NOTHING, node: false },
  { owns: /^core\/view\//, files: /^core\/(topas|policies|contract|view)\//, packages: NOTHING, node: false },
  {
    owns: /^core\/inspect\//,
    files: /^core\/(topas|policies|contract|view|inspect)\//,
    packages: NOTHING,
    node: false,
  },
  { owns: /^core\/sim\//, files: /^core\/(topas|policies|contract|sim)\//, packages: NOTHING, node: false },
  {
    owns: /^native-models\//,
    files: /^(core|native-models)\//,
    packages: /^(node-llama-cpp|@huggingface\/jinja|zod)$/,
    node: true,
  },
  { owns: /^electron\/setup\//, files: /^electron\/setup\//, packages: /^@electron\/fuses$/, node: true },
  { owns: COMPOSITION.window, files: COMPOSED, packages: /^electron$/, node: true },
  { owns: COMPOSITION.headless, files: COMPOSED, packages: NOTHING, node: true },
  { owns: PROGRAMS, files: /^(core|electron)\//, packages: /^commander$/, node: true },
  { owns: /^electron\/terminal\.ts$/, files: /^core\//, packages: NOTHING, node: true },
  {
    owns: /^electron\/app\//,
    files: /^(core|electron\/(app|http|live|trace|ipc|demo|web))\//,
    packages: /^(commander|pino|fastify)$/,
    node: true,
  },
  {
    // The window's page in a browser: the same feed, commands and files as in the window, over HTTP.
    owns: /^electron\/web\//,
    files: /^(core\/|electron\/(web|ipc|live)\/|electron\/window\/(page-address|page-protocol|crash-page)\.ts$)/,
    packages: /^(fastify|zod)$/,
    node: true,
  },
  {
    owns: /^electron\/http\//,
    files: /^(core|electron\/(http|live))\//,
    packages: /^(fastify|@fastify\/cors|@streamparser\/json|pino|yaml|zod)$/,
    node: true,
  },
  { owns: /^electron\/live\//, files: /^(core|electron\/live)\//, packages: /^pino$/, node: true },
  { owns: /^electron\/trace\//, files: /^(core|electron\/(trace|live))\//, packages: /^zod$/, node: true },
  {
    owns: /^electron\/ipc\//,
    files: /^(core|electron\/(ipc|live|window))\//,
    packages: /^(electron|zod)$/,
    node: true,
  },
  {
    owns: /^electron\/window\//,
    files: /^(core|electron\/(window|ipc|live|app))\//,
    packages: /^(electron|zod)$/,
    node: true,
  },
  {
    owns: /^electron\/sim\//,
    files: /^(core\/|electron\/(sim|trace)\/|electron\/(terminal|app\/options|demo\/table)\.ts$)/,
    packages: /^(commander|zod)$/,
    node: true,
  },
  {
    owns: /^electron\/demo\//,
    files: /^(core|electron\/(demo|live))\//,
    packages: /^(openai|commander|zod)(\/|$)/,
    node: true,
  },
  {
    owns: /^electron\/preload\.ts$/,
    files: /^(core\/contract\/|electron\/ipc\/channels\.ts$)/,
    packages: /^electron$/,
    node: false,
  },
  {
    owns: /^renderer\//,
    files: /^(core|renderer)\//,
    packages: /^(react|react-dom|zustand|@dagrejs\/dagre|@fontsource-variable\/inter)(\/|$)/,
    node: false,
  },
  { owns: /^test\//, files: /./, packages: /./, node: true },
  { owns: /^(vitest|electron\.vite)\.config\.ts$/, files: NOTHING, packages: /./, node: true },
  { owns: /^\.ci\//, files: NOTHING, packages: NOTHING, node: true },
];

/** What the core must not use, because it would make a replay give something else. */
const IMPURE =
  /^(Date|performance|Promise|async|await|setTimeout|setInterval|setImmediate|queueMicrotask|process|crypto|fetch|console)(\.|$)|^Math(\.random)?$/;

/** `exists` says whether a path from the project's root is a file. */
export function brokenRules(source: Source, exists: (file: string) => boolean): readonly string[] {
  const layer = LAYERS.find(({ owns }) => owns.test(source.file));
  if (layer === undefined) return [`${source.file} is in no layer of the table`];
  const imports = source.imports.flatMap((found) => {
    const problem = importProblem(source.file, layer, found, exists);
    return problem === null ? [] : [`${source.file}:${found.line} imports ${found.specifier}: ${problem}`];
  });
  const uses = source.uses.flatMap(({ name, line }) => {
    const problem = useProblem(source.file, name);
    return problem === null ? [] : [`${source.file}:${line} uses ${name}: ${problem}`];
  });
  return [...imports, ...uses];
}

function importProblem(
  file: string,
  layer: Layer,
  found: SourceImport,
  exists: (file: string) => boolean,
): string | null {
  const { specifier, typeOnly } = found;
  if (!specifier.startsWith(".")) {
    const isNode = specifier.startsWith("node:") || builtinModules.includes(specifier);
    if (isNode) return layer.node ? null : "Node's modules are not for this folder";
    return layer.packages.test(specifier) ? null : "this package is not for this folder";
  }
  const target = resolveFile(file, specifier, exists);
  if (target === null) return "there is no such file";
  if (layer.files.test(target) || (typeOnly && layer.types?.test(target) === true)) return null;
  return `${target} is not for this folder`;
}

function resolveFile(from: string, specifier: string, exists: (file: string) => boolean): string | null {
  const base = path.posix.join(path.posix.dirname(from), specifier.replace(/\?.*$/, ""));
  const candidates = [base, `${base}.ts`, `${base}.tsx`, base.replace(/\.js$/, ".ts"), `${base}/index.ts`];
  return candidates.find(exists) ?? null;
}

function useProblem(file: string, name: string): string | null {
  if (file.startsWith("core/") && IMPURE.test(name)) {
    const isPortType = file.startsWith("core/contract/") && name === "Promise";
    return isPortType ? null : "the core has no clock, no chance, no promises and no outside world";
  }
  if (file.startsWith("renderer/") && file !== "renderer/bridge.ts" && /^(window|globalThis|self)\.topas$/.test(name)) {
    return "only renderer/bridge.ts touches what the preload offers";
  }
  return null;
}
