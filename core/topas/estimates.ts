/** What one decision asks for again and again, worked out once: expected answers, and which open requests a task has. */
import type { Seconds, TaskId, WorkflowId } from "../contract/ids";
import type { SchedulerConfig } from "./config";
import { expectedOutput, stageSeconds } from "./service";
import type { RequestState, SchedulerState } from "./state";
import type { Stage } from "./workflow";

export interface Estimates {
  /** Tokens a request is expected to generate from now on. */
  outputOf(request: RequestState): number;
  openRequestsOf(taskId: TaskId): readonly RequestState[];
  /** Seconds one request of a stage needs of which none has come yet. */
  secondsOf(workflowId: WorkflowId, stage: Stage): Seconds;
}

/** Good until the next event. */
export function estimatesNow(state: SchedulerState, config: SchedulerConfig): Estimates {
  const outputs = new Map<RequestState, number>();
  const stages = new Map<Stage, Seconds>();
  const byTask = new Map<TaskId, RequestState[]>();
  for (const request of state.requests.values()) {
    const known = byTask.get(request.spec.taskId);
    if (known === undefined) byTask.set(request.spec.taskId, [request]);
    else known.push(request);
  }
  return {
    outputOf(request) {
      const known = outputs.get(request);
      if (known !== undefined) return known;
      const output = expectedOutput(state, request, config);
      outputs.set(request, output);
      return output;
    },
    openRequestsOf: (taskId) => byTask.get(taskId) ?? [],
    secondsOf(workflowId, stage) {
      const known = stages.get(stage);
      if (known !== undefined) return known;
      const seconds = stageSeconds(state, workflowId, stage, config);
      stages.set(stage, seconds);
      return seconds;
    },
  };
}
