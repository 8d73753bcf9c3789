/** The sampling options as they cross the border of the engine's process. */
import { z } from "zod";

export const samplingSchema = z.object({
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
