/**
 * A copy of the scheduler's state that goes its own way: replays and what-if questions begin with one. What no event ever
 * changes (prompts, workflows, batches, stored copies) is shared with the original, so that a copy costs little.
 */
import type { SchedulerState } from "./state";

export function copyState(state: SchedulerState): SchedulerState {
  return {
    ...state,
    engine: { ...state.engine },
    pinned: new Set(state.pinned),
    slots: state.slots.map((slot) => ({ ...slot, tokens: [...slot.tokens] })),
    prefixes: copyEach(state.prefixes, (prefix) => ({ ...prefix })),
    store: copyEach(state.store, (stored) => ({ ...stored })),
    requests: copyEach(state.requests, (request) => ({ ...request, generated: [...request.generated] })),
    tasks: copyEach(state.tasks, (task) => ({ ...task, stages: copyEach(task.stages, (stage) => ({ ...stage })) })),
    workflows: new Map(state.workflows),
    agentRequests: new Map(state.agentRequests),
    taskNumbers: new Map(state.taskNumbers),
    announcedCalls: [...state.announcedCalls],
    toolGapsMs: [...state.toolGapsMs],
    served: new Map(state.served),
    admissionsMs: [...state.admissionsMs],
    services: copyEach(state.services, (record) => ({ ...record, lastOutputs: [...record.lastOutputs] })),
    pendingOperations: [...state.pendingOperations],
  };
}

function copyEach<Key, Value>(map: ReadonlyMap<Key, Value>, copy: (value: Value) => Value): Map<Key, Value> {
  return new Map([...map].map(([key, value]) => [key, copy(value)]));
}
