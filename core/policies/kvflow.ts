/**
 * KVFlow's eviction (arXiv 2507.07400) under FCFS: what is needed after the most steps of the workflows under way goes first. Only
 * eviction is its own; it never fetches ahead, as moves take the engine's time here.
 */
import type { AgentId } from "../contract/ids";
import { isFinished } from "../topas/next-stages";
import type { Resident } from "../topas/pool";
import type { SchedulerState, TaskState } from "../topas/state";
import type { Stage } from "../topas/workflow";
import { waitedSeconds } from "./fcfs";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

/** More steps than any workflow has: nobody will call it. */
const stepsNever = 1e6;

export const kvflow = rankedPolicy({
  name: "kvflow",
  order: (state, waiting) => orderBy(waiting, [], (request) => ({ age: waitedSeconds(state, request) })),
  evict(state) {
    const steps = stepsToExecution(state);
    return ({ agent, prefixTokens, lastUsedAtMs }: Resident) => {
      const away = steps.get(agent) ?? stepsNever;
      // A fraction of a step, so that of equals the one unused for longest goes.
      const recency = lastUsedAtMs / (state.nowMs + 1);
      // What holds no fixed prefix is only somebody's past turns: it goes before every prefix.
      return recency - (prefixTokens === 0 ? away + 2 * stepsNever : away);
    };
  },
});

/** Unfinished stages before each agent's next call, in the task that calls it soonest; 0 for an agent with a request in hand. */
export function stepsToExecution(state: SchedulerState): ReadonlyMap<AgentId, number> {
  const soonest = new Map<AgentId, number>();
  for (const { spec } of state.requests.values()) soonest.set(spec.agent, 0);
  for (const task of state.tasks.values()) {
    const stages = task.workflowId === null ? undefined : state.workflows.get(task.workflowId)?.stages;
    if (stages !== undefined) noteTask(task, stages, soonest);
  }
  return soonest;
}

/** A join waits for the last of its predecessors. */
function noteTask(task: TaskState, stages: readonly Stage[], soonest: Map<AgentId, number>): void {
  const stepsOf = new Map<string, number>();
  for (const stage of stages) {
    if (isFinished(task, stage)) continue;
    const before = stage.after.map((id) => stepsOf.get(id) ?? -1);
    const isOpen = (task.stages.get(stage.id)?.open ?? 0) > 0;
    const steps = isOpen ? 0 : Math.max(-1, ...before) + 1;
    stepsOf.set(stage.id, steps);
    if (stage.agent !== null) soonest.set(stage.agent, Math.min(steps, soonest.get(stage.agent) ?? steps));
  }
}
