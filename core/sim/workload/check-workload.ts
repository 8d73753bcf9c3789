/**
 * What a workload of the right shape can still have wrong: names that lead nowhere, names used twice, stages that wait for
 * each other, empty prompts. It finds all of it and changes nothing.
 */
import type { AgentId, StageId } from "../../contract/ids";
import type { Problem } from "./problem";
import type { StageSpec, WorkflowSpec, WorkloadSpec } from "./spec";

export function checkWorkload({ agents, workflows }: WorkloadSpec): readonly Problem[] {
  const known = new Set(agents.map(({ id }) => id));
  return [
    ...repeatedIds("agents", agents),
    ...repeatedIds("workflows", workflows),
    ...workflows.flatMap((workflow, index) => checkWorkflow(workflow, `workflows[${index}].stages`, known)),
  ];
}

function checkWorkflow({ stages }: WorkflowSpec, place: string, agents: ReadonlySet<AgentId>): readonly Problem[] {
  const ids = new Set(stages.map(({ id }) => id));
  const problems = [
    ...repeatedIds(place, stages),
    ...stages.flatMap((stage, index) => [
      ...unknownStages(stage, `${place}[${index}]`, ids),
      ...unknownAgents(stage, `${place}[${index}]`, agents),
      ...emptyPrompt(stage, `${place}[${index}]`),
    ]),
  ];
  return problems.length > 0 ? problems : findCycle(stages, place);
}

function repeatedIds(place: string, items: readonly { readonly id: string }[]): readonly Problem[] {
  return items.flatMap(({ id }, index) => {
    const before = items.findIndex((other) => other.id === id);
    if (before === index) return [];
    return [{ path: `${place}[${index}].id`, message: `The id "${id}" is already that of ${place}[${before}].` }];
  });
}

function unknownStages(stage: StageSpec, place: string, ids: ReadonlySet<StageId>): readonly Problem[] {
  const after = stage.after.flatMap((id, index) => {
    const path = `${place}.after[${index}]`;
    return ids.has(id) ? [] : [{ path, message: `There is no stage "${id}" in this workflow.` }];
  });
  const reads = stage.kind === "call" ? stage.reads : [];
  const unread = reads.flatMap((id, index) => {
    const path = `${place}.reads[${index}]`;
    return stage.after.includes(id)
      ? []
      : [{ path, message: `Stage "${stage.id}" reads "${id}" but does not wait for it. Name it in "after" too.` }];
  });
  return [...after, ...unread];
}

function unknownAgents(stage: StageSpec, place: string, agents: ReadonlySet<AgentId>): readonly Problem[] {
  return calledAgents(stage).flatMap(([field, agent]) =>
    agents.has(agent) ? [] : [{ path: `${place}.${field}`, message: `There is no agent "${agent}".` }],
  );
}

function calledAgents(stage: StageSpec): readonly (readonly [field: string, agent: AgentId])[] {
  switch (stage.kind) {
    case "call":
    case "conversation":
      return [["agent", stage.agent]];
    case "group_chat":
      return [
        ["selector", stage.selector],
        ...stage.speakers.map((speaker, index) => [`speakers[${index}]`, speaker] as const),
      ];
    default:
      return stage satisfies never;
  }
}

function emptyPrompt(stage: StageSpec, place: string): readonly Problem[] {
  if (stage.kind !== "call" || stage.tailTokens[0] > 0 || stage.reads.length > 0) return [];
  const message = `Stage "${stage.id}" may have nothing to say behind its prefix. Let it begin at 1, or name stages in "reads".`;
  return [{ path: `${place}.tailTokens[0]`, message }];
}

/** The first edge that closes a ring, with the ring. All names are known. */
function findCycle(stages: readonly StageSpec[], place: string): readonly Problem[] {
  const indexOf = new Map(stages.map(({ id }, index) => [id, index]));
  const done = new Set<StageId>();
  const follow = (stage: StageSpec, path: readonly StageId[]): Problem | null => {
    if (done.has(stage.id)) return null;
    const here = [...path, stage.id];
    for (const [index, before] of stage.after.entries()) {
      const start = here.indexOf(before);
      if (start >= 0) {
        const ring = [...here.slice(start), before].map((id) => `"${id}"`).join(" waits for ");
        return {
          path: `${place}[${indexOf.get(stage.id)}].after[${index}]`,
          message: `The stages wait for each other: ${ring}.`,
        };
      }
      const found = follow(stages[indexOf.get(before) as number] as StageSpec, here);
      if (found !== null) return found;
    }
    done.add(stage.id);
    return null;
  };
  for (const stage of stages) {
    const found = follow(stage, []);
    if (found !== null) return [found];
  }
  return [];
}
