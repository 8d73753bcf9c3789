/** The shape of a workload file. What goes beyond the shape (names, cycles, room) core checks. */
import { z } from "zod";
import type { WorkloadSpec } from "../../core/sim/workload/spec";

const tokensMax = 1_000_000;
const millisecondsMax = 86_400_000;
const callsMax = 64;
const listMax = 64;

const id = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, "An id has 1 to 64 letters, digits, dots, dashes or underscores.");

function range(least: number, most: number) {
  const number = z.int().min(least).max(most);
  return z
    .tuple([number, number])
    .readonly()
    .refine(([low, high]) => low <= high, "The first number must not be larger than the second.");
}

const tokens = range(0, tokensMax);
const someTokens = range(1, tokensMax);
const milliseconds = z.number().min(0).max(millisecondsMax);

const gap = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z
    .strictObject({ kind: z.literal("uniform"), lowMs: milliseconds, highMs: milliseconds })
    .refine(({ lowMs, highMs }) => lowMs <= highMs, "lowMs must not be larger than highMs."),
  z.strictObject({
    kind: z.literal("lognormal"),
    medianMs: milliseconds,
    sigma: z.number().min(0).max(10),
    mostMs: milliseconds,
  }),
]);

const stageBase = { id, after: z.array(id).max(listMax).default([]) };

const stage = z.discriminatedUnion("kind", [
  z.strictObject({
    ...stageBase,
    kind: z.literal("call"),
    agent: id,
    calls: range(1, callsMax).default([1, 1]),
    gap: gap.default({ kind: "none" }),
    tailTokens: tokens,
    sameTail: z.boolean().default(false),
    reads: z.array(id).max(listMax).default([]),
    outputTokens: someTokens,
  }),
  z.strictObject({
    ...stageBase,
    kind: z.literal("conversation"),
    agent: id,
    turns: range(1, callsMax),
    firstTokens: someTokens,
    outputTokens: someTokens,
    resultTokens: tokens,
    gap,
  }),
  z.strictObject({
    ...stageBase,
    kind: z.literal("group_chat"),
    selector: id,
    speakers: z.array(id).min(1).max(listMax),
    rounds: range(1, callsMax),
    firstTokens: someTokens,
    selectTokens: someTokens,
    outputTokens: someTokens,
  }),
]);

export const workloadSchema: z.ZodType<WorkloadSpec> = z.strictObject({
  name: id,
  agents: z
    .array(z.strictObject({ id, prefixTokens: tokens }))
    .min(1)
    .max(256),
  workflows: z
    .array(
      z.strictObject({
        id,
        share: z.number().positive().max(1e6).default(1),
        stages: z.array(stage).min(1).max(listMax),
      }),
    )
    .min(1)
    .max(listMax),
  arrivals: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("poisson") }),
      z.strictObject({ kind: z.literal("bursts"), tasks: range(1, callsMax) }),
    ])
    .default({ kind: "poisson" }),
});
