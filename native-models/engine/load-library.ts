/** Loads llama.cpp itself for the wanted kind of graphics, never building it from source, and listens to its log. */
import { getLlama, type Llama, LlamaLogLevel, NoBinaryFoundError } from "node-llama-cpp";
import { type EngineOptions, ModelRefused } from "../../core/contract/engine";
import { checkLibraryVersion } from "./native-context";

export interface Library {
  readonly llama: Llama;
  readonly log: LibraryLog;
}

/** Follows every error of a load and does not name its cause. */
const SAYS_NOTHING = /failed to load model\.?$/;

export class LibraryLog {
  /** What llama.cpp chose when it was left the choice; it tells only its log. */
  flashAttention = false;
  /** Its last words of an error that say what it was. */
  lastError: string | null = null;
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  take(level: LlamaLogLevel, message: string): void {
    const line = message.trimEnd();
    const flashAttention = /flash attention.*?(enabled|disabled)/i.exec(line)?.[1];
    if (flashAttention !== undefined) this.flashAttention = flashAttention.toLowerCase() === "enabled";
    const isError = level === LlamaLogLevel.error || level === LlamaLogLevel.fatal;
    if (isError && !SAYS_NOTHING.test(line)) this.lastError = line;
    if (line !== "" && isTrouble(level)) this.#write(`llama.cpp ${level}: ${line}`);
  }
}

export async function loadLibrary(gpu: EngineOptions["gpu"], write: (line: string) => void): Promise<Library> {
  await checkLibraryVersion();
  const log = new LibraryLog(write);
  const llama = await findLibrary(gpu, log);
  if (gpu === "auto" || gpu === "cpu" || llama.gpu === gpu) return { llama, log };
  await llama.dispose();
  throw cannotUse(gpu);
}

async function findLibrary(gpu: EngineOptions["gpu"], log: LibraryLog): Promise<Llama> {
  try {
    return await getLlama({
      gpu: gpu === "cpu" ? false : gpu,
      build: "never",
      skipDownload: true,
      progressLogs: false,
      logLevel: LlamaLogLevel.info,
      logger: (level, message) => log.take(level, message),
    });
  } catch (error) {
    if (!(error instanceof NoBinaryFoundError)) throw error;
    if (gpu !== "auto" && gpu !== "cpu") throw cannotUse(gpu);
    throw new ModelRefused(
      `There is no prebuilt llama.cpp for this machine (${process.platform} ${process.arch}), or it does not start.`,
      'Run "npm install" again on this machine.',
    );
  }
}

function cannotUse(gpu: string): ModelRefused {
  return new ModelRefused(
    `llama.cpp cannot use ${gpu} on this machine: no working binary or driver was found.`,
    "Use --gpu auto, which takes what works, or --gpu cpu.",
  );
}

function isTrouble(level: LlamaLogLevel): boolean {
  return level === LlamaLogLevel.warn || level === LlamaLogLevel.error || level === LlamaLogLevel.fatal;
}
