/** Reads the declaration of a workflow and puts its stages in topological order, or says what is wrong with them by name. */
import { z } from "zod";
import type { Stage, Workflow } from "../../../core/topas/workflow";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import { cleanName, nameLengthMax } from "../identity/identity";
import { absent } from "../zod-absent";

export const stagesMax = 256;

const nameSchema = z
  .string()
  .min(1, "it must not be empty")
  .max(nameLengthMax, `at most ${nameLengthMax} characters are possible`)
  .refine((name) => cleanName(name) === name, "it must not hold control characters or begin or end with a blank");

const stageSchema = z.object({
  id: nameSchema,
  agent: absent(nameSchema),
  after: absent(z.array(nameSchema)),
  expect: absent(
    z.object({ calls: absent(z.int().min(1).max(10_000)), output_tokens: absent(z.int().min(1).max(10_000_000)) }),
  ),
  fanout: absent(z.union([z.string(), z.int().min(1).max(10_000)])),
  loop: absent(z.boolean()),
});

const matchSchema = z
  .object({
    agent: absent(nameSchema),
    stage: absent(nameSchema),
    system_prefix: z.string().min(1, "it must not be empty").max(4096, "at most 4096 characters are possible"),
  })
  .refine(({ agent, stage }) => agent !== undefined || stage !== undefined, "name the agent, the stage or both");

export const workflowSchema = z.object({
  workflow: absent(nameSchema),
  stages: z
    .array(stageSchema)
    .min(1, "at least one stage is needed")
    .max(stagesMax, `at most ${stagesMax} stages are possible`),
  match: absent(z.array(matchSchema).max(stagesMax, `at most ${stagesMax} rules are possible`)),
  /** Taken, so that files made for later versions load; without effect yet. */
  priority: absent(z.union([z.string(), z.number()])),
});

type StageBody = z.output<typeof stageSchema>;

/** A rule by which a prompt that says nothing of its sender is known. */
export interface MatchRule {
  readonly systemPrefix: string;
  readonly agent: string | null;
  readonly stage: string | null;
}

export interface Declaration {
  readonly workflow: Workflow;
  readonly match: readonly MatchRule[];
}

export function readWorkflow(workflowId: string, body: unknown): Declaration {
  const read = workflowSchema.safeParse(body);
  if (!read.success) throw fieldError(read.error.issues, body);
  const { stages: wanted, workflow: name = workflowId, match = [] } = read.data;
  checkReferences(wanted);
  for (const [index, { stage }] of match.entries()) {
    if (stage !== undefined && !wanted.some(({ id }) => id === stage)) {
      wrong(`match.${index}.stage`, `The rule names stage '${stage}', but there is no such stage.`);
    }
  }
  return {
    workflow: { workflowId, name, stages: inOrder(wanted).map(stageOf) },
    match: match.map(({ system_prefix, agent, stage }) => ({
      systemPrefix: system_prefix,
      agent: agent ?? null,
      stage: stage ?? null,
    })),
  };
}

function stageOf({ id, agent, after, expect, fanout }: StageBody): Stage {
  return {
    id,
    agent: agent ?? null,
    after: [...new Set(after ?? [])],
    // "many" and loops without a number: one call is what is certain.
    expectedCalls: expect?.calls ?? (typeof fanout === "number" ? fanout : 1),
    expectedOutputTokens: expect?.output_tokens ?? null,
  };
}

function checkReferences(stages: readonly StageBody[]): void {
  const ids = new Set<string>();
  for (const [index, { id }] of stages.entries()) {
    if (ids.has(id)) wrong(`stages.${index}.id`, `There are two stages '${id}'. Give each its own id.`);
    ids.add(id);
  }
  for (const [index, { id, after }] of stages.entries()) {
    for (const [at, before] of (after ?? []).entries()) {
      if (!ids.has(before)) {
        wrong(`stages.${index}.after.${at}`, `Stage '${id}' comes after '${before}', but there is no such stage.`);
      }
    }
  }
}

/** Stable: among the stages that could come next, the one declared first does. */
function inOrder(stages: readonly StageBody[]): StageBody[] {
  const placed = new Set<string>();
  const ordered: StageBody[] = [];
  while (ordered.length < stages.length) {
    const left = stages.filter(({ id }) => !placed.has(id));
    const next = left.find(({ after }) => (after ?? []).every((before) => placed.has(before)));
    if (!next) throw cycleError(left);
    placed.add(next.id);
    ordered.push(next);
  }
  return ordered;
}

/** Every stage left waits for another one left, so walking backwards must come round. */
function cycleError(left: readonly StageBody[]): ApiError {
  const byId = new Map(left.map((stage) => [stage.id, stage]));
  const path: string[] = [];
  let id = left[0]?.id ?? "";
  while (!path.includes(id)) {
    path.unshift(id);
    id = byId.get(id)?.after?.find((before) => byId.has(before)) ?? id;
  }
  const round = [id, ...path.slice(0, path.indexOf(id) + 1)];
  const message = `The stages wait for each other in a circle: ${round.join(" -> ")}. Take one 'after' out.`;
  return new ApiError("invalid_value", message, { param: "stages" });
}

function wrong(param: string, message: string): never {
  throw new ApiError("invalid_value", message, { param });
}
