/**
 * Parrot's application order with FCFS between tasks: tasks as they came, in a task the deeper stage first, siblings with one
 * consumer side by side. It never looks at how long anything takes.
 * The key is a rank; the term shown is the age of the task in seconds, which is its first part.
 */
import type { StageId, TaskId } from "../contract/ids";
import type { RequestState, SchedulerState } from "../topas/state";
import type { Workflow } from "../topas/workflow";
import { orderBy } from "./order-by";
import { rankedPolicy } from "./ranked-policy";

export const parrot = rankedPolicy({
  name: "parrot",
  order(state, waiting) {
    const taskPlace = new Map<TaskId, number>([...state.tasks.keys()].map((taskId, index) => [taskId, index]));
    const stagesOf = stagePlaces(state);
    const stageOf = ({ spec }: RequestState) =>
      spec.workflowId === null || spec.stageId === null ? undefined : stagesOf(spec.workflowId)?.get(spec.stageId);
    const resident = residentAgents(state);
    const startedAtMs = ({ spec }: RequestState) => state.tasks.get(spec.taskId)?.startedAtMs ?? state.nowMs;
    return orderBy(
      waiting,
      [
        { of: (request) => taskPlace.get(request.spec.taskId) ?? 0, goesFirst: "its task came earlier" },
        { of: (request) => -(stageOf(request)?.depth ?? 0), goesFirst: "its stage is further along in the task" },
        { of: (request) => stageOf(request)?.group ?? 0, goesFirst: "it belongs to the group that goes together" },
        { of: (request) => (resident.has(request.spec.agent) ? 0 : 1), goesFirst: "its prefix is in the KV cache" },
      ],
      (request) => ({ age: (state.nowMs - startedAtMs(request)) / 1000 }),
    );
  },
});

interface StagePlace {
  /** Stages on the longest way to it. */
  readonly depth: number;
  /** Same for stages whose answers the same stages need. */
  readonly group: number;
}

function stagePlaces(state: SchedulerState) {
  const known = new Map<string, ReadonlyMap<StageId, StagePlace>>();
  return (workflowId: string) => {
    const workflow = state.workflows.get(workflowId);
    if (workflow !== undefined && !known.has(workflowId)) known.set(workflowId, placesIn(workflow));
    return known.get(workflowId);
  };
}

function placesIn({ stages }: Workflow): ReadonlyMap<StageId, StagePlace> {
  const consumers = new Map<StageId, StageId[]>();
  for (const { id, after } of stages) {
    for (const before of after) consumers.set(before, [...(consumers.get(before) ?? []), id]);
  }
  const groups = new Map<string, number>();
  const places = new Map<StageId, StagePlace>();
  for (const { id, after } of stages) {
    const depth = Math.max(-1, ...after.map((before) => places.get(before)?.depth ?? -1)) + 1;
    const needed = (consumers.get(id) ?? []).join(" ");
    const group = groups.get(needed) ?? groups.size;
    groups.set(needed, group);
    places.set(id, { depth, group });
  }
  return places;
}

function residentAgents(state: SchedulerState): ReadonlySet<string> {
  const agents = new Set<string>(state.prefixes.keys());
  for (const { agent, tokens } of state.slots) if (agent !== null && tokens.length > 0) agents.add(agent);
  return agents;
}
