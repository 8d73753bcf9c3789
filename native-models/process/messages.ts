/**
 * The messages between the engine's process and its owner. Control messages are checked in full by schema; those sent
 * for every batch are checked by hand, because they are many.
 */
import { z } from "zod";
import type {
  Batch,
  BatchResult,
  EncodedPrompt,
  EngineDescription,
  EngineOptions,
  EngineRequest,
  PromptSource,
} from "../../core/contract/engine";
import type { RequestId } from "../../core/contract/ids";

const samplingSchema = z.object({
  temperature: z.number().min(0),
  topP: z.number().min(0).max(1),
  topK: z.number().int().optional(),
  minP: z.number().min(0).max(1).optional(),
  presencePenalty: z.number().min(-2).max(2).optional(),
  frequencyPenalty: z.number().min(-2).max(2).optional(),
  seed: z.number().int().optional(),
  typicalP: z.number().min(0).max(1).optional(),
  repeatPenalty: z.number().positive().optional(),
  logitBias: z
    .array(z.object({ token: z.number().int().nonnegative(), bias: z.number().min(-100).max(100) }))
    .optional(),
  grammar: z.string().optional(),
  topLogprobs: z.number().int().min(0).max(20).optional(),
  ignoreEndOfSequence: z.boolean().optional(),
});

const requestSchema = z.object({
  requestId: z.string(),
  sampling: samplingSchema,
  stop: z.array(z.string()),
  generated: z.array(z.number().int().nonnegative()),
});

const optionsSchema = z.object({
  modelPath: z.string().min(1),
  modelId: z.string(),
  noiseModel: z.boolean(),
  slots: z.number().int().min(1).max(64),
  slotTokens: z.number().int().min(16),
  gpu: z.enum(["auto", "metal", "cuda", "vulkan", "cpu"]),
  gpuLayers: z.union([z.literal("auto"), z.number().int().nonnegative()]),
  threads: z.union([z.literal("auto"), z.number().int().min(1)]),
});

const messageSchema = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string(),
  name: z.string().optional(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
  toolCallId: z.string().optional(),
  reasoning: z.string().optional(),
});

const toolSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
});

const sourceSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("chat"),
    messages: z.array(messageSchema),
    tools: z.array(toolSchema).optional(),
    templateOptions: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("tokens"), tokens: z.array(z.number().int().nonnegative()) }),
]);

const controlToEngineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("load"), options: optionsSchema, parentProcessId: z.number().int() }),
  z.object({ kind: z.literal("encode"), callId: z.number().int(), source: sourceSchema }),
  z.object({ kind: z.literal("open"), request: requestSchema }),
  z.object({ kind: z.literal("close"), requestId: z.string() }),
  z.object({ kind: z.literal("interrupt") }),
  z.object({ kind: z.literal("shutdown") }),
]);

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

const descriptionSchema: z.ZodType<EngineDescription> = z.object({
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
  costs: costsSchema,
  build: z.string(),
  processId: z.number(),
});

const controlFromEngineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("started") }),
  z.object({ kind: z.literal("heartbeat") }),
  z.object({ kind: z.literal("progress"), fraction: z.number() }),
  z.object({ kind: z.literal("loaded"), description: descriptionSchema }),
  z.object({ kind: z.literal("load_refused"), message: z.string(), whatToDo: z.string() }),
  z.object({ kind: z.literal("load_failed"), message: z.string() }),
  z.object({ kind: z.literal("prompt_refused"), callId: z.number(), message: z.string() }),
  z.object({
    kind: z.literal("prompt_too_long"),
    callId: z.number(),
    promptTokens: z.number(),
    slotTokens: z.number(),
  }),
  z.object({ kind: z.literal("encode_failed"), callId: z.number(), message: z.string() }),
  z.object({ kind: z.literal("run_failed"), batchId: z.number(), message: z.string() }),
]);

export type ToEngine =
  | { readonly kind: "load"; readonly options: EngineOptions; readonly parentProcessId: number }
  | { readonly kind: "encode"; readonly callId: number; readonly source: PromptSource }
  | { readonly kind: "open"; readonly request: EngineRequest }
  | { readonly kind: "close"; readonly requestId: RequestId }
  | { readonly kind: "run"; readonly batch: Batch }
  | { readonly kind: "interrupt" }
  | { readonly kind: "shutdown" };

export type FromEngine =
  | z.infer<typeof controlFromEngineSchema>
  | { readonly kind: "encoded"; readonly callId: number; readonly prompt: EncodedPrompt }
  /** A step of the batch under way that is not its last; `ran` is the last. */
  | { readonly kind: "stepped"; readonly result: BatchResult }
  | { readonly kind: "ran"; readonly result: BatchResult };

/** Throws when the message is none that the owner of the engine sends. */
export function readToEngine(message: unknown): ToEngine {
  if (kindOf(message) !== "run") return controlToEngineSchema.parse(message);
  const { batch } = message as { batch?: Partial<Batch> };
  const isWhole =
    typeof batch?.batchId === "number" &&
    typeof batch.steps === "number" &&
    Array.isArray(batch.operations) &&
    Array.isArray(batch.work);
  if (isWhole) return message as ToEngine;
  throw new TypeError("A run message came without a whole batch.");
}

/** Throws when the message is none that the engine sends. */
export function readFromEngine(message: unknown): FromEngine {
  switch (kindOf(message)) {
    case "stepped":
    case "ran": {
      const { result } = message as { result?: Partial<BatchResult> };
      const isWhole =
        typeof result?.batchId === "number" &&
        typeof result.durationMs === "number" &&
        Array.isArray(result.answers) &&
        Array.isArray(result.failures);
      if (isWhole) return message as FromEngine;
      throw new TypeError("A result came without its parts.");
    }
    case "encoded": {
      const { callId, prompt } = message as { callId?: unknown; prompt?: Partial<EncodedPrompt> };
      if (typeof callId === "number" && Array.isArray(prompt?.tokens) && typeof prompt.prefixTokens === "number") {
        return message as FromEngine;
      }
      throw new TypeError("An encoded prompt came without its parts.");
    }
    default:
      return controlFromEngineSchema.parse(message);
  }
}

function kindOf(message: unknown): unknown {
  return typeof message === "object" && message !== null ? (message as { kind?: unknown }).kind : undefined;
}
