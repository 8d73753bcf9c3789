/** The shape of what an engine says of itself, checked when its process sends it. */
import { z } from "zod";
import type { EngineDescription } from "../../core/contract/engine";
import { samplingSchema } from "./sampling-schema";

const gpuSchema = z.object({
  requested: z.enum(["auto", "metal", "cuda", "vulkan", "cpu"]),
  effective: z.enum(["metal", "cuda", "vulkan", "cpu"]),
  layersOffloaded: z.number(),
  layersTotal: z.number(),
  deviceNames: z.array(z.string()),
});

const costsSchema = z.object({
  prefillMsPerToken: z.number().positive(),
  stepMs: z.array(z.number().positive()),
  copyMs: z.number().nonnegative(),
  origin: z.enum(["calibrated", "given"]),
});

const chatSchema = z.object({
  templateKnowsTools: z.boolean(),
  toolFormat: z.enum([
    "hermes",
    "llama3",
    "mistral",
    "functionary",
    "qwen-coder",
    "deepseek",
    "command-r",
    "list",
    "generic",
  ]),
  templateKnowsThinking: z.boolean(),
});

export const descriptionSchema: z.ZodType<EngineDescription> = z.object({
  modelId: z.string(),
  modelPath: z.string(),
  quantization: z.string(),
  parameterCount: z.number(),
  fileBytes: z.number(),
  noiseModel: z.boolean(),
  slots: z.number(),
  slotTokens: z.number(),
  trainedContextTokens: z.number(),
  vocabularySize: z.number(),
  kvBytesPerToken: z.number(),
  gpu: gpuSchema,
  threads: z.object({ prefill: z.number(), decode: z.array(z.number()) }),
  flashAttention: z.boolean(),
  chat: chatSchema,
  embeddingSize: z.number(),
  unsupportedSampling: z.array(samplingSchema.keyof()),
  costs: costsSchema,
  build: z.string(),
  processId: z.number(),
});
