/** The shape of a journal's inputs and of what its events have in common. Events are compared whole, so no more is needed. */
import { z } from "zod";
import { policies } from "../../../core/policies/policies";
import type { TopasEvent } from "../../../core/topas/events";
import type { Input } from "../../../core/topas/inputs";

const id = z.string().min(1);
const time = z.number().min(0);
const count = z.int().min(0);
const cost = z.number().min(0);
const policy = z.enum(Object.keys(policies));

const costs = z.strictObject({
  prefillMsPerToken: cost,
  stepMs: z.array(cost).min(1),
  copyMs: cost,
  saveMsPerToken: cost.optional(),
  restoreMsPerToken: cost.optional(),
  origin: z.enum(["calibrated", "given"]),
});

const request = z.strictObject({
  requestId: id,
  agent: id,
  taskId: id,
  workflowId: id.nullable(),
  stageId: id.nullable(),
  promptTokens: z.array(z.int()),
  prefixTokens: count,
  maxTokens: z.int().min(1).nullable(),
  sampling: z.strictObject({
    temperature: z.number(),
    topP: z.number(),
    topK: z.number().optional(),
    minP: z.number().optional(),
    presencePenalty: z.number().optional(),
    frequencyPenalty: z.number().optional(),
    seed: z.number().optional(),
    typicalP: z.number().optional(),
    repeatPenalty: z.number().optional(),
    logitBias: z.array(z.strictObject({ token: z.int(), bias: z.number() })).optional(),
    grammar: z.string().optional(),
    topLogprobs: count.optional(),
    ignoreEndOfSequence: z.boolean().optional(),
  }),
  stop: z.array(z.string()),
  priority: z.enum(["high", "low"]).optional(),
  client: z.string().optional(),
  deadlineMs: z.number().optional(),
});

const workflow = z.strictObject({
  workflowId: id,
  name: z.string(),
  stages: z.array(
    z.strictObject({
      id,
      agent: id.nullable(),
      after: z.array(id),
      expectedCalls: z.number().min(0),
      expectedOutputTokens: z.number().min(0).nullable(),
    }),
  ),
});

const chance = { token: z.int(), bytes: z.array(z.int()), logprob: z.number() };

const result = z.strictObject({
  batchId: count,
  durationMs: z.number(),
  answers: z.array(
    z.strictObject({
      requestId: id,
      token: z.int(),
      text: z.string(),
      heldText: z.string(),
      ended: z.enum(["end_of_sequence", "stop_text"]).nullable(),
      stopText: z.string().optional(),
      logprob: z.strictObject({ ...chance, top: z.array(z.strictObject(chance)) }).optional(),
    }),
  ),
  failures: z.array(z.strictObject({ requestId: id, message: z.string() })),
});

function input<Origin extends string, Kind extends string, Shape extends z.ZodRawShape>(
  origin: Origin,
  kind: Kind,
  shape: Shape,
) {
  return z.strictObject({ origin: z.literal(origin), kind: z.literal(kind), atMs: time, ...shape });
}

const ready = { slots: z.int().min(1).max(4096), slotTokens: z.int().min(1), costs };

const inputs = {
  "request.submitted": input("outside", "request.submitted", { request }),
  "request.cancelled": input("outside", "request.cancelled", { requestId: id, reason: z.string() }),
  "workflow.declared": input("outside", "workflow.declared", { workflow }),
  "workflow.withdrawn": input("outside", "workflow.withdrawn", { workflowId: id }),
  "policy.chosen": input("outside", "policy.chosen", { policy }),
  "queue.paused": input("outside", "queue.paused", {}),
  "queue.resumed": input("outside", "queue.resumed", {}),
  "request.moved_up": input("outside", "request.moved_up", { requestId: id }),
  "request.move_undone": input("outside", "request.move_undone", { requestId: id }),
  "prefix.pinned": input("outside", "prefix.pinned", { agent: id }),
  "prefix.unpinned": input("outside", "prefix.unpinned", { agent: id }),
  "trace.announced": input("outside", "trace.announced", { calls: z.array(id) }),
  "engine.ready": input("engine", "engine.ready", {
    ...ready,
    budgetTokens: z.int().min(1).optional(),
    storeTokens: count.optional(),
  }),
  "engine.lost": input("engine", "engine.lost", { reason: z.string() }),
  "engine.given_up": input("engine", "engine.given_up", { reason: z.string() }),
  "batch.stepped": input("engine", "batch.stepped", { result }),
  "batch.finished": input("engine", "batch.finished", { result }),
  "alarm.rang": input("clock", "alarm.rang", {}),
} satisfies Record<Input["kind"], z.ZodType>;

/** Null for an input of a kind that there is not. */
export function inputSchema(kind: unknown): z.ZodType | null {
  return Object.entries(inputs).find(([known]) => known === kind)?.[1] ?? null;
}

const eventKinds: Readonly<Record<TopasEvent["kind"], true>> = {
  "engine.ready": true,
  "engine.lost": true,
  "policy.chosen": true,
  "queue.paused": true,
  "queue.resumed": true,
  "request.moved_up": true,
  "request.move_undone": true,
  "prefix.pinned": true,
  "prefix.unpinned": true,
  "act.refused": true,
  "trace.announced": true,
  "workflow.declared": true,
  "workflow.withdrawn": true,
  "task.started": true,
  "task.finished": true,
  "request.arrived": true,
  "request.refused": true,
  "request.admitted": true,
  "request.preempted": true,
  "request.requeued": true,
  "request.finished": true,
  "request.cancelled": true,
  "request.failed": true,
  "decision.made": true,
  "batch.started": true,
  "batch.stepped": true,
  "batch.interrupted": true,
  "batch.finished": true,
  "alarm.set": true,
};

export const eventSchema = z.looseObject({ kind: z.enum(Object.keys(eventKinds)), number: z.int().min(1), atMs: time });
