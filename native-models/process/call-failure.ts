/** Carries what a question to the engine was rejected with across the border of its process, class and numbers included. */
import { z } from "zod";
import { PromptRefused, PromptTooLong } from "../../core/contract/engine";

export const callFailureSchema = z.discriminatedUnion("reason", [
  z.object({ reason: z.literal("refused"), message: z.string() }),
  z.object({ reason: z.literal("too_long"), promptTokens: z.number(), slotTokens: z.number() }),
  z.object({ reason: z.literal("fault"), message: z.string() }),
]);

export type CallFailure = z.infer<typeof callFailureSchema>;

export function failureOf(error: unknown): CallFailure {
  if (error instanceof PromptRefused) return { reason: "refused", message: error.message };
  if (error instanceof PromptTooLong) {
    return { reason: "too_long", promptTokens: error.promptTokens, slotTokens: error.slotTokens };
  }
  return { reason: "fault", message: error instanceof Error ? error.message : String(error) };
}

export function errorOf(failure: CallFailure): Error {
  switch (failure.reason) {
    case "refused":
      return new PromptRefused(failure.message);
    case "too_long":
      return new PromptTooLong(failure.promptTokens, failure.slotTokens);
    case "fault":
      return new Error(failure.message);
    default:
      return failure satisfies never;
  }
}
