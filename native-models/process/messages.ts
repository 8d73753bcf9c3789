/**
 * The messages between the engine's process and its owner. Control messages are checked in full by schema; those sent
 * for every batch are checked by hand, because they are many.
 */
import { z } from "zod";
import type { Batch, BatchResult, EngineOptions, EngineRequest } from "../../core/contract/engine";
import type { RequestId } from "../../core/contract/ids";
import { callFailureSchema } from "./call-failure";
import { type Call, callSchema } from "./calls";
import { descriptionSchema } from "./description-schema";
import { samplingSchema } from "./sampling-schema";

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

const controlToEngineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("load"), options: optionsSchema, parentProcessId: z.number().int() }),
  z.object({ kind: z.literal("call"), callId: z.number().int(), call: callSchema }),
  z.object({ kind: z.literal("open"), request: requestSchema }),
  z.object({ kind: z.literal("close"), requestId: z.string() }),
  z.object({ kind: z.literal("interrupt") }),
  z.object({ kind: z.literal("shutdown") }),
]);

const controlFromEngineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("started") }),
  z.object({ kind: z.literal("heartbeat") }),
  z.object({ kind: z.literal("progress"), fraction: z.number() }),
  z.object({ kind: z.literal("loaded"), description: descriptionSchema }),
  z.object({ kind: z.literal("load_refused"), message: z.string(), whatToDo: z.string() }),
  z.object({ kind: z.literal("load_failed"), message: z.string() }),
  z.object({ kind: z.literal("call_failed"), callId: z.number(), failure: callFailureSchema }),
  z.object({ kind: z.literal("run_failed"), batchId: z.number(), message: z.string() }),
]);

export type ToEngine =
  | { readonly kind: "load"; readonly options: EngineOptions; readonly parentProcessId: number }
  | { readonly kind: "call"; readonly callId: number; readonly call: Call }
  | { readonly kind: "open"; readonly request: EngineRequest }
  | { readonly kind: "close"; readonly requestId: RequestId }
  | { readonly kind: "run"; readonly batch: Batch }
  | { readonly kind: "interrupt" }
  | { readonly kind: "shutdown" };

export type FromEngine =
  | z.infer<typeof controlFromEngineSchema>
  /** The value is checked by whoever knows what was asked. */
  | { readonly kind: "answered"; readonly callId: number; readonly value: unknown }
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
    case "answered": {
      if (typeof (message as { callId?: unknown }).callId === "number") return message as FromEngine;
      throw new TypeError("An answer came without saying to what.");
    }
    default:
      return controlFromEngineSchema.parse(message);
  }
}

function kindOf(message: unknown): unknown {
  return typeof message === "object" && message !== null ? (message as { kind?: unknown }).kind : undefined;
}
