/**
 * Loads a model and makes the engine of it: file check, memory check, load, self-test, calibration. Must leave nothing
 * allocated when it refuses.
 */
import { availableParallelism } from "node:os";
import { InsufficientMemoryError, type Llama, type LlamaContext, LlamaLogLevel, type LlamaModel } from "node-llama-cpp";
import { type EngineDescription, type EngineOptions, ModelRefused } from "../../core/contract/engine";
import { BatchRunner } from "./batch-runner";
import { calibrate } from "./calibrate";
import { createEmbedder } from "./create-embedder";
import { createEncoder } from "./create-encoder";
import { describeFile, describeGpu } from "./describe";
import { LlamaEngine } from "./llama-engine";
import { type Library, loadLibrary } from "./load-library";
import { checkMemory } from "./memory-plan";
import { type ModelFile, readModelFile } from "./model-file";
import { NativeContext, NODE_LLAMA_CPP_VERSION } from "./native-context";
import { UNSUPPORTED_SAMPLING } from "./sampler-config";
import { selfTest } from "./self-test";
import { Slots } from "./slots";
import { Threads } from "./threads";

export interface LoadObserver {
  /** 0..1 */
  progress(fraction: number): void;
  log(line: string): void;
}

const BATCH_TOKENS_MAX = 512;
/** With all layers on the graphics card the CPU only feeds it. */
const GPU_THREADS = 4;
const BIG_MODEL_BYTES = 1e9;

export async function loadEngine(options: EngineOptions, on: LoadObserver): Promise<LlamaEngine> {
  const file = await readModelFile(options.modelPath);
  const library = await loadLibrary(options.gpu, (line) => on.log(line));
  try {
    return await loadInto(library, file, options, on);
  } catch (error) {
    await library.llama.dispose();
    throw error;
  }
}

async function loadInto(
  library: Library,
  file: ModelFile,
  options: EngineOptions,
  on: LoadObserver,
): Promise<LlamaEngine> {
  const { llama, log } = library;
  const { slots: slotCount, slotTokens } = options;
  checkMemory(file, {
    slots: slotCount,
    slotTokens,
    freeBytes: await freeBytes(llama),
    trainedContextTokens: file.trainedContextTokens,
  });
  const model = await loadModel(library, file, options, on);
  const context = await createContext(model, options);
  const native = new NativeContext(llama, model, context, Math.min(BATCH_TOKENS_MAX, slotCount * slotTokens));
  const { isHybrid, isRecurrent } = model.fileInsights;
  const slots = new Slots(native, slotCount, slotTokens, !isHybrid && !isRecurrent);
  const threadCandidates = candidates(llama, model, options);
  // The library's own default may be more threads than cores, which makes every decode many times slower.
  native.setThreads(threadCandidates[0] ?? 1);
  await selfTest(native, slots, file.vocabularySize);
  // Only now: what llama.cpp chose while it loaded arrives in its log a little late.
  llama.logLevel = LlamaLogLevel.warn;
  const runner = new BatchRunner(
    native,
    slots,
    file.vocabularySize,
    Threads.fixed(threadCandidates[0] ?? 1, slotCount),
  );
  const { threads, costs } = await calibrate(runner, {
    slots: slotCount,
    slotTokens,
    vocabularySize: file.vocabularySize,
    threadCandidates,
  });
  const { encoder, abilities } = createEncoder(native, model, file, options, on);
  const description: EngineDescription = {
    ...describeFile(file, options),
    parameterCount: model.fileInsights.totalParameters,
    trainedContextTokens: model.trainContextSize,
    gpu: await describeGpu(llama, model, options),
    threads: { prefill: threads.prefill, decode: threads.decode },
    flashAttention: log.flashAttention,
    chat: abilities,
    embeddingSize: model.embeddingVectorSize,
    unsupportedSampling: UNSUPPORTED_SAMPLING,
    costs,
    build: `llama.cpp ${llama.llamaCppRelease.release}, node-llama-cpp ${NODE_LLAMA_CPP_VERSION}`,
    processId: process.pid,
  };
  const { embedder, disposeEmbedder } = createEmbedder(llama, model, file, { slotTokens, threads: threads.prefill });
  return new LlamaEngine({
    description,
    runner,
    encoder,
    embedder,
    native,
    dispose: async () => {
      await disposeEmbedder();
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  });
}

async function loadModel(
  { llama, log }: Library,
  file: ModelFile,
  options: EngineOptions,
  on: LoadObserver,
): Promise<LlamaModel> {
  try {
    const model = await llama.loadModel({
      modelPath: options.modelPath,
      gpuLayers:
        options.gpuLayers === "auto"
          ? { fitContext: { contextSize: options.slots * options.slotTokens } }
          : options.gpuLayers,
      // A full cache costs memory, but only with it can a sliding-window model go back to an earlier token.
      defaultContextSwaFullCache: true,
      onLoadProgress: (fraction) => on.progress(fraction),
    });
    if (model.fileInsights.hasDecoder) return model;
  } catch (error) {
    if (error instanceof InsufficientMemoryError) throw outOfMemory(error, options);
    throw cannotLoad(options.modelPath, file.architecture, log.lastError ?? (error as Error).message);
  }
  throw new ModelRefused(`${options.modelPath} is not a model that writes text.`, "Choose a chat model.");
}

function cannotLoad(modelPath: string, architecture: string, logged: string): ModelRefused {
  // Without the name of the function that logged it.
  const reason = logged.replace(/^\w+: (error loading model: )?/, "").replace(/\.$/, "");
  if (/unknown (model )?architecture/i.test(reason)) {
    return new ModelRefused(
      `This llama.cpp does not know the architecture "${architecture}" of ${modelPath}.`,
      "Choose a model of another architecture, or a newer version of this app.",
    );
  }
  return new ModelRefused(
    `llama.cpp cannot load ${modelPath} (architecture "${architecture}"): ${reason}.`,
    "Check that the file is complete, download it again, or choose another model.",
  );
}

async function createContext(
  model: LlamaModel,
  { slots, slotTokens, ...options }: EngineOptions,
): Promise<LlamaContext> {
  try {
    return await model.createContext({
      contextSize: slotTokens,
      sequences: slots,
      batchSize: Math.min(BATCH_TOKENS_MAX, slots * slotTokens),
      flashAttention: "auto",
      failedCreationRemedy: false,
    });
  } catch (error) {
    throw outOfMemory(error as Error, { slots, slotTokens, ...options });
  }
}

function outOfMemory(error: Error, { slots, slotTokens, gpuLayers }: EngineOptions): ModelRefused {
  return new ModelRefused(
    `There is not enough memory for ${slots} slots of ${slotTokens.toLocaleString("en-US")} tokens: ${error.message}.`,
    `Use fewer slots (--slots), a smaller context (--context)${gpuLayers === "auto" ? "" : ", fewer layers on the graphics card"} or a smaller model.`,
  );
}

async function freeBytes(llama: Llama): Promise<number> {
  const [ram, video] = await Promise.all([llama.getRamState(), llama.getVramState()]);
  return ram.free + (video.unifiedSize > 0 ? 0 : video.free);
}

function candidates(llama: Llama, model: LlamaModel, { threads }: EngineOptions): number[] {
  if (threads !== "auto") return [threads];
  const cores = Math.max(1, Math.min(llama.cpuMathCores, availableParallelism()));
  if (model.gpuLayers >= model.fileInsights.totalLayers) return [Math.min(GPU_THREADS, cores)];
  // One thread alone is never right for a big model, and measuring it would take long.
  const fewest = model.size > BIG_MODEL_BYTES ? Math.ceil(cores / 2) : 1;
  const counts: number[] = [];
  for (let count = fewest; count < cores; count *= 2) counts.push(count);
  return [...counts, cores];
}
