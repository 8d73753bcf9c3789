/**
 * From the stages of one task to the nodes and edges that are drawn: what is on the critical path, what lies ahead, and
 * which nodes stand together because a row would hold more than eight.
 */
import type { AgentId, StageId } from "../../../core/contract/ids";
import type { StagePhase, StageView } from "../../../core/view/view";

export interface GraphNode {
  /** The stage, or the first of those that stand together. */
  readonly stageId: StageId;
  readonly agent: AgentId | null;
  readonly members: readonly StageId[];
  readonly after: readonly StageId[];
}

export interface GraphEdge {
  readonly from: StageId;
  readonly to: StageId;
}

export const ROW_MAX = 8;

/** Stages that do the same for the same (one agent, one set of parents) become one node when there are more than eight. */
export function graphNodes(stages: readonly StageView[]): readonly GraphNode[] {
  const twins = new Map<string, StageView[]>();
  for (const stage of stages) {
    const key = stage.agent === null ? stage.stageId : `${stage.agent}\n${[...stage.after].sort().join("\n")}`;
    twins.set(key, [...(twins.get(key) ?? []), stage]);
  }
  const standsFor = new Map<StageId, StageId>();
  const groups: StageView[][] = [];
  for (const group of twins.values())
    groups.push(...(group.length > ROW_MAX ? [group] : group.map((stage) => [stage])));
  const nodes: GraphNode[] = [];
  for (const group of groups) {
    const first = group[0];
    if (!first) continue;
    for (const stage of group) standsFor.set(stage.stageId, first.stageId);
    const members = group.map((stage) => stage.stageId);
    nodes.push({ stageId: first.stageId, agent: first.agent, members, after: first.after });
  }
  return nodes.map((node) => ({ ...node, after: unique(node.after.map((id) => standsFor.get(id) ?? id)) }));
}

export function graphEdges(nodes: readonly GraphNode[]): readonly GraphEdge[] {
  const known = new Set(nodes.map((node) => node.stageId));
  return nodes.flatMap((node) =>
    node.after.filter((from) => known.has(from)).map((from) => ({ from, to: node.stageId })),
  );
}

/** Edges of the critical path: into each of its nodes, from the last of its parents that is on it. */
export function criticalEdges(
  edges: readonly GraphEdge[],
  critical: ReadonlySet<StageId>,
  column: (stageId: StageId) => number,
): ReadonlySet<GraphEdge> {
  const into = new Map<StageId, GraphEdge>();
  for (const edge of edges) {
    if (!critical.has(edge.from) || !critical.has(edge.to)) continue;
    const best = into.get(edge.to);
    if (!best || column(edge.from) > column(best.from)) into.set(edge.to, edge);
  }
  return new Set(into.values());
}

export function liesAhead(phase: StagePhase): boolean {
  return phase === "next" || phase === "not_ready";
}

/** "2 done, 3 running, 4 not ready" */
export function phaseCounts(phases: readonly StagePhase[]): string {
  const words: readonly (readonly [StagePhase, string])[] = [
    ["done", "done"],
    ["running", "running"],
    ["waiting", "waiting"],
    ["next", "next"],
    ["not_ready", "not ready"],
  ];
  return words
    .map(([phase, word]) => [phases.filter((one) => one === phase).length, word] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(", ");
}

function unique(ids: readonly StageId[]): readonly StageId[] {
  return [...new Set(ids)];
}
