/** Which agents are about to be called: the reuse value looks one hop ahead, never further. */
import type { AgentId } from "../contract/ids";
import type { SchedulerState, TaskState } from "./state";
import type { Stage, Workflow } from "./workflow";

/** n(a): stages of each agent that are about to become ready, because all their unfinished predecessors are running now. */
export function stagesAhead(state: SchedulerState): Map<AgentId, number> {
  const calls = new Map<AgentId, number>();
  const add = (agent: AgentId) => calls.set(agent, (calls.get(agent) ?? 0) + 1);
  for (const task of state.tasks.values()) {
    const workflow = task.workflowId === null ? undefined : state.workflows.get(task.workflowId);
    for (const stage of workflow?.stages ?? []) {
      if (stage.agent !== null && workflow && isNext(state, task, workflow, stage)) add(stage.agent);
    }
  }
  return calls;
}

/** The task that calls this agent next, as people read it; for the reasons. */
export function nextCaller(state: SchedulerState, agent: AgentId): string {
  for (const task of state.tasks.values()) {
    const workflow = task.workflowId === null ? undefined : state.workflows.get(task.workflowId);
    const calls = workflow?.stages.some((stage) => stage.agent === agent && isNext(state, task, workflow, stage));
    if (workflow && calls) return `${workflow.name} ${task.number}`;
  }
  const waiting = [...state.requests.values()].find((request) => request.slot === null && request.spec.agent === agent);
  return waiting?.label ?? "a later request";
}

/** Stages of live tasks still to come, by agent, however far away: breaks ties between slots to give away. */
export function callsToCome(state: SchedulerState): Map<AgentId, number> {
  const calls = new Map<AgentId, number>();
  for (const task of state.tasks.values()) {
    const workflow = task.workflowId === null ? undefined : state.workflows.get(task.workflowId);
    for (const stage of workflow?.stages ?? []) {
      if (stage.agent !== null && !task.stages.has(stage.id)) calls.set(stage.agent, (calls.get(stage.agent) ?? 0) + 1);
    }
  }
  return calls;
}

export function isFinished(task: TaskState, stage: Stage): boolean {
  const progress = task.stages.get(stage.id);
  return progress !== undefined && progress.open === 0 && progress.finished >= stage.expectedCalls;
}

function isNext(state: SchedulerState, task: TaskState, workflow: Workflow, stage: Stage): boolean {
  if (task.stages.has(stage.id) || stage.after.length === 0) return false;
  const unfinished = workflow.stages.filter((other) => stage.after.includes(other.id) && !isFinished(task, other));
  return unfinished.every((other) => isRunning(state, task, other));
}

function isRunning(state: SchedulerState, task: TaskState, stage: Stage): boolean {
  for (const { spec, slot } of state.requests.values()) {
    if (spec.taskId === task.taskId && spec.stageId === stage.id && slot !== null) return true;
  }
  return false;
}
