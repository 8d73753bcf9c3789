/**
 * Kairos (arXiv 2508.06948): the agent after which the least of its workflow is expected to follow goes first; between calls of
 * one agent, the task that began earlier. What follows is learned as means, not compared as whole distributions; where no workflow
 * is declared, only the call itself is known. Unlike SPF it looks at what hangs on this call, not at the task's longest path.
 */
import type { StageId } from "../contract/ids";
import type { SchedulerConfig } from "../topas/config";
import { estimatesNow } from "../topas/estimates";
import { requestSeconds, stageSeconds } from "../topas/service";
import type { RequestState, SchedulerState } from "../topas/state";
import type { Workflow } from "../topas/workflow";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

export const kairos = rankedPolicy({
  name: "kairos",
  order(state, waiting, config) {
    const { outputOf } = estimatesNow(state, config);
    const following = latencies(state, config);
    const leftS = (request: RequestState): number => {
      const { workflowId, stageId } = request.spec;
      const known = workflowId === null || stageId === null ? undefined : following(workflowId)?.get(stageId);
      return known ?? requestSeconds(state, request, outputOf(request));
    };
    const startedAtMs = ({ spec }: RequestState) => state.tasks.get(spec.taskId)?.startedAtMs ?? state.nowMs;
    return orderBy(
      waiting,
      [
        { of: leftS, goesFirst: "less of the workflow follows its agent" },
        { of: startedAtMs, goesFirst: "its task began earlier" },
      ],
      (request) => ({ progress: -leftS(request) }),
    );
  },
});

function latencies(state: SchedulerState, config: SchedulerConfig) {
  const known = new Map<string, ReadonlyMap<StageId, number>>();
  return (workflowId: string) => {
    const workflow = state.workflows.get(workflowId);
    if (workflow !== undefined && !known.has(workflowId)) known.set(workflowId, fromStageOn(state, workflow, config));
    return known.get(workflowId);
  };
}

/** Seconds from the beginning of each stage to the end of the workflow, on the longest way. */
function fromStageOn(state: SchedulerState, workflow: Workflow, config: SchedulerConfig): Map<StageId, number> {
  const behind = new Map<StageId, number>();
  const from = new Map<StageId, number>();
  for (const stage of [...workflow.stages].reverse()) {
    const own = stage.expectedCalls * stageSeconds(state, workflow.workflowId, stage, config);
    const seconds = own + (behind.get(stage.id) ?? 0);
    from.set(stage.id, seconds);
    for (const before of stage.after) behind.set(before, Math.max(behind.get(before) ?? 0, seconds));
  }
  return from;
}
