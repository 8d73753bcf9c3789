/** A workload whose stages stand in topological order, as drawing needs them; otherwise in the order they were given. */
import type { StageId } from "../../contract/ids";
import type { StageSpec, WorkloadSpec } from "./spec";

/** `spec` has no cycle. */
export function stagesInOrder(spec: WorkloadSpec): WorkloadSpec {
  return { ...spec, workflows: spec.workflows.map((workflow) => ({ ...workflow, stages: inOrder(workflow.stages) })) };
}

function inOrder(stages: readonly StageSpec[]): readonly StageSpec[] {
  const placed = new Set<StageId>();
  const ordered: StageSpec[] = [];
  while (ordered.length < stages.length) {
    const next = stages.find(({ id, after }) => !placed.has(id) && after.every((before) => placed.has(before)));
    if (next === undefined) throw new Error("The stages wait for each other.");
    placed.add(next.id);
    ordered.push(next);
  }
  return ordered;
}
