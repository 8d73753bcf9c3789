/** The longest path through a task: what is done counts as measured, what is to come as its stage took before. */
import type { LiveView, StageView, TaskView } from "./view";

/** Before a stage has been seen all count alike. */
const unseenMs = 1000;

export function withCriticalPath(view: LiveView, task: TaskView, stages: readonly StageView[]): StageView[] {
  const byId = new Map(stages.map((stage) => [stage.stageId, stage]));
  const endMs = new Map<string, number>();
  const end = (stage: StageView): number => {
    const known = endMs.get(stage.stageId);
    if (known !== undefined) return known;
    endMs.set(stage.stageId, 0); // a cycle cannot be declared; this only keeps a broken one from recursing for ever
    const before = Math.max(0, ...stage.after.map((id) => (byId.has(id) ? end(byId.get(id) as StageView) : 0)));
    const total = before + lengthMs(view, task, stage);
    endMs.set(stage.stageId, total);
    return total;
  };
  let at = stages.reduce<StageView | undefined>(
    (best, stage) => (best === undefined || end(stage) > end(best) ? stage : best),
    undefined,
  );
  const onPath = new Set<string>();
  while (at !== undefined && !onPath.has(at.stageId)) {
    onPath.add(at.stageId);
    const before = at.after.map((id) => byId.get(id)).filter((stage) => stage !== undefined);
    at = before.reduce<StageView | undefined>(
      (best, stage) => (best === undefined || end(stage) > end(best) ? stage : best),
      undefined,
    );
  }
  return stages.map((stage) => ({ ...stage, onCriticalPath: onPath.has(stage.stageId) }));
}

function lengthMs(view: LiveView, task: TaskView, stage: StageView): number {
  if (stage.phase === "done" && stage.startedAtMs !== null && stage.finishedAtMs !== null)
    return stage.finishedAtMs - stage.startedAtMs;
  return view.stageMs[`${task.workflowId ?? ""}/${stage.stageId}`]?.meanMs ?? unseenMs;
}
