/** The shape of a profile file. */
import { z } from "zod";
import type { MachineProfile } from "../../core/sim/profile/profile";

const millisecondsMax = 3_600_000;
const milliseconds = z.number().min(0).max(millisecondsMax);
const someMilliseconds = z.number().positive().max(millisecondsMax);
const tokens = z.int().min(128).max(100_000_000);

export const profileSchema: z.ZodType<MachineProfile> = z.strictObject({
  name: z.string().min(1).max(64),
  note: z.string().max(2000).default(""),
  prefillMsPerToken: someMilliseconds,
  stepMs: z
    .array(someMilliseconds)
    .min(1)
    .max(1024)
    .refine((steps) => steps.every((step, index) => step >= (steps[index - 1] ?? 0)), {
      error: "A step with more requests cannot be shorter than one with fewer.",
    }),
  copyMs: milliseconds,
  saveMsPerToken: milliseconds,
  restoreMsPerToken: milliseconds,
  pool: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("tokens"), budgetTokens: tokens }),
    z.strictObject({ kind: z.literal("slots"), slots: z.int().min(1).max(64), slotTokens: tokens }),
  ]),
  ramTierTokens: z.int().min(1).max(1_000_000_000).default(65_536),
});
