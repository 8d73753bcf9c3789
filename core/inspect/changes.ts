/**
 * The same state with one thing changed. Nothing is written to the original: what did not change is shared with it, and a
 * planner only reads.
 */
import type { AgentId, Milliseconds, RequestId, SlotIndex, StageId, WorkflowId } from "../contract/ids";
import type { RequestState, SchedulerState, SlotState, TaskState } from "../topas/state";
import { demandTokens } from "../topas/token-pool";
import type { Stage, Workflow } from "../topas/workflow";

/** The request came so much sooner, and its task began no later than that. Who came when decides every tie anew. */
export function olderBy(state: SchedulerState, requestId: RequestId, ms: Milliseconds): SchedulerState {
  const request = state.requests.get(requestId);
  if (request === undefined) return state;
  const arrivedAtMs = request.arrivedAtMs - ms;
  const waitingSinceMs = request.waitingSinceMs - ms;
  const requests = new Map(state.requests).set(requestId, { ...request, arrivedAtMs, waitingSinceMs });
  const task = state.tasks.get(request.spec.taskId);
  const older: TaskState | undefined = task && { ...task, startedAtMs: task.startedAtMs - ms };
  const tasks = older === undefined ? state.tasks : new Map(state.tasks).set(older.taskId, older);
  return { ...state, requests: inNewOrder(requests), tasks };
}

function inNewOrder(requests: ReadonlyMap<RequestId, RequestState>): Map<RequestId, RequestState> {
  const order = [...requests.values()].sort((a, b) => a.arrivedAtMs - b.arrivedAtMs || a.arrival - b.arrival);
  const places = order.map(({ arrival }) => arrival).sort((a, b) => a - b);
  return new Map(
    order.map((request, at) => [request.spec.requestId, { ...request, arrival: places[at] ?? request.arrival }]),
  );
}

/** An idle slot, or the token pool, holds the prefix of that request's agent. */
export function withPrefix(state: SchedulerState, requestId: RequestId, slot: SlotIndex): SchedulerState {
  const spec = state.requests.get(requestId)?.spec;
  if (spec === undefined) return state;
  const tokens = spec.promptTokens.slice(0, spec.prefixTokens);
  if (state.engine.budgetTokens !== null) {
    const prefix = { agent: spec.agent, tokens, readyTokens: tokens.length, lastUsedAtMs: state.nowMs };
    return { ...state, prefixes: new Map(state.prefixes).set(spec.agent, prefix) };
  }
  return withSlot(state, slot, { tokens, agent: spec.agent, prefixTokens: tokens.length });
}

/** What this agent left warm, in idle slots or in the token pool, was not there. */
export function withoutPrefix(state: SchedulerState, agent: AgentId): SchedulerState {
  const prefixes = new Map(state.prefixes);
  prefixes.delete(agent);
  const slots = state.slots.map((slot) => (slot.requestId === null && slot.agent === agent ? emptied(slot) : slot));
  return { ...state, prefixes, slots };
}

function withSlot(state: SchedulerState, index: SlotIndex, change: Partial<SlotState>): SchedulerState {
  return { ...state, slots: state.slots.map((slot) => (slot.slot === index ? { ...slot, ...change } : slot)) };
}

function emptied(slot: SlotState): SlotState {
  return { ...slot, tokens: [], agent: null, prefixTokens: 0 };
}

/** The user had done nothing to the queue: it is not paused, nobody was moved up, nothing is pinned. */
export function withoutActs(state: SchedulerState): SchedulerState {
  const requests = new Map([...state.requests].map(([id, request]) => [id, { ...request, movedUp: null }]));
  return { ...state, isPaused: false, requests, pinned: new Set() };
}

export function hasActs({ isPaused, requests, pinned }: SchedulerState): boolean {
  return isPaused || pinned.size > 0 || [...requests.values()].some(({ movedUp }) => movedUp !== null);
}

/** Its client asked for no more than so many tokens. */
export function withMaxTokens(state: SchedulerState, requestId: RequestId, maxTokens: number): SchedulerState {
  const request = state.requests.get(requestId);
  if (request === undefined) return state;
  const shorter = { ...request, spec: { ...request.spec, maxTokens } };
  return { ...state, requests: new Map(state.requests).set(requestId, shorter) };
}

/** One more slot, empty; in a token pool also the room this request needs. */
export function withMoreRoom(state: SchedulerState, requestId: RequestId): SchedulerState {
  const slot = { slot: state.slots.length, requestId: null, lastUsedAtMs: 0, tokens: [], agent: null, prefixTokens: 0 };
  const slots = [...state.slots, slot];
  const { budgetTokens } = state.engine;
  const request = state.requests.get(requestId);
  if (budgetTokens === null || request === undefined) return { ...state, slots };
  const more = request.spec.prefixTokens + demandTokens(state, request);
  return { ...state, slots, engine: { ...state.engine, budgetTokens: budgetTokens + more } };
}

/** Every stage of this agent that is about to come is one stage further away. */
export function withStageFarther(state: SchedulerState, agent: AgentId): SchedulerState {
  const workflows = new Map<WorkflowId, Workflow>();
  for (const [id, workflow] of state.workflows) {
    const stages = workflow.stages.flatMap((stage) =>
      stage.agent === agent && stage.after.length > 0 ? delayed(stage) : [stage],
    );
    workflows.set(id, { ...workflow, stages });
  }
  return { ...state, workflows };
}

function delayed(stage: Stage): readonly Stage[] {
  const between = `${stage.id} (one stage before)`;
  return [
    { id: between, agent: null, after: stage.after, expectedCalls: 1, expectedOutputTokens: 1 },
    { ...stage, after: [between] },
  ];
}

/** The request's workflow ends with its stage: nothing waits for its answer. */
export function withWorkflowEnding(state: SchedulerState, workflowId: WorkflowId, last: StageId): SchedulerState {
  const workflow = state.workflows.get(workflowId);
  if (workflow === undefined) return state;
  const later = new Set<StageId>();
  for (const stage of workflow.stages) {
    if (stage.after.some((id) => id === last || later.has(id))) later.add(stage.id);
  }
  const stages = workflow.stages.filter(({ id }) => !later.has(id));
  return { ...state, workflows: new Map(state.workflows).set(workflowId, { ...workflow, stages }) };
}
