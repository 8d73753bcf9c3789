/** Applies one event to the state. The only writer: folding all events from the empty state gives the state again. */

import type { TopasEvent } from "./events";
import { evolveAdmission } from "./evolve-admission";
import { evolveBatchInterrupted, evolveBatchStarted, evolveBatchStep } from "./evolve-batch";
import { evolveArrival, evolveEnding, evolvePreemption, evolveRequeue, setMovedUp } from "./evolve-request";
import { evolveTaskFinished, evolveTaskStarted } from "./evolve-task";
import type { SchedulerState } from "./state";

export function evolve(state: SchedulerState, event: TopasEvent): void {
  state.nowMs = event.atMs;
  state.eventNumber = event.number;
  switch (event.kind) {
    case "engine.ready":
      state.engine = {
        phase: "ready",
        slotTokens: event.slotTokens,
        budgetTokens: event.budgetTokens ?? null,
        storeTokens: event.storeTokens ?? 0,
        costs: event.costs,
      };
      emptySlots(state, event.slots);
      return;
    case "engine.lost":
      state.engine.phase = "down";
      emptySlots(state, state.slots.length);
      return;
    case "policy.chosen":
      state.policy = event.policy;
      return;
    case "workflow.declared":
      state.workflows.set(event.workflow.workflowId, event.workflow);
      return;
    case "workflow.withdrawn":
      state.workflows.delete(event.workflowId);
      return;
    case "queue.paused":
      state.isPaused = true;
      return;
    case "queue.resumed":
      state.isPaused = false;
      return;
    case "request.moved_up":
      state.movesUp = event.rank;
      return setMovedUp(state, event.requestId, event.rank);
    case "request.move_undone":
      return setMovedUp(state, event.requestId, null);
    case "prefix.pinned":
      state.pinned.add(event.agent);
      return;
    case "prefix.unpinned":
      state.pinned.delete(event.agent);
      return;
    case "trace.announced":
      state.announcedCalls = [...event.calls];
      return;
    case "task.started":
      return evolveTaskStarted(state, event);
    case "task.finished":
      return evolveTaskFinished(state, event);
    case "request.arrived":
      return evolveArrival(state, event);
    case "request.refused":
    case "act.refused":
      return;
    case "request.admitted":
      return evolveAdmission(state, event);
    case "request.requeued":
      return evolveRequeue(state, event);
    case "request.preempted":
      return evolvePreemption(state, event);
    case "request.finished":
    case "request.cancelled":
    case "request.failed":
      return evolveEnding(state, event);
    case "decision.made":
      state.decisions = event.decision.number;
      return;
    case "batch.started":
      return evolveBatchStarted(state, event);
    case "batch.interrupted":
      return evolveBatchInterrupted(state);
    case "batch.stepped":
    case "batch.finished":
      return evolveBatchStep(state, event);
    case "alarm.set":
      state.alarmForMs = event.forMs;
      return;
    default:
      return event satisfies never;
  }
}

/** With a new or a lost engine nothing is left in the KV cache and nothing is under way. */
function emptySlots(state: SchedulerState, count: number): void {
  state.slots = Array.from({ length: count }, (_, slot) => ({
    slot,
    tokens: [],
    requestId: null,
    agent: null,
    prefixTokens: 0,
    lastUsedAtMs: state.nowMs,
  }));
  state.prefixes.clear();
  state.store.clear();
  state.pendingOperations = [];
  state.batchInFlight = null;
}
