/** Folds one event into the view. Never changes the old view: what did not change is shared with the new one. */
import type { PolicyName } from "../contract/policy-name";
import { emptySlot } from "./empty-slot";
import { foldBatch } from "./fold-batch";
import { foldDecision, foldEngineLost } from "./fold-decision";
import { foldAdmission, foldArrival, foldEnding, foldMove, foldPreemption, foldRequeue } from "./fold-request";
import { foldTaskFinished, foldTaskStarted, refreshTasks } from "./fold-task";
import type { LiveView } from "./view";
import type { ViewEvent } from "./view-event";

/** Seconds of token counts kept. */
export const rateSeconds = 60;

export function emptyView(policy: PolicyName): LiveView {
  return {
    eventNumber: 0,
    atMs: 0,
    engine: { phase: "down", lostReason: null, slots: 0, slotTokens: 0 },
    policy,
    pausedSinceMs: null,
    pinned: [],
    agents: [],
    requests: {},
    slots: [],
    queue: [],
    workflows: {},
    tasks: [],
    lastDecision: null,
    tokensPerSecond: new Array<number>(rateSeconds).fill(0),
    tokensPerSecondAt: 0,
    recentTtftMs: [],
    recentJctMs: [],
    totals: {
      promptTokens: 0,
      computedTokens: 0,
      reusedTokens: 0,
      forkedTokens: 0,
      generatedTokens: 0,
      decisions: 0,
      finishedRequests: 0,
      failedRequests: 0,
      cancelledRequests: 0,
    },
    underWay: [],
    stageMs: {},
  };
}

export function foldEvent(view: LiveView, event: ViewEvent): LiveView {
  return foldBody({ ...view, eventNumber: event.number, atMs: event.atMs }, event);
}

function foldBody(view: LiveView, event: ViewEvent): LiveView {
  switch (event.kind) {
    case "engine.ready": {
      const engine = { phase: "ready" as const, lostReason: null, slots: event.slots, slotTokens: event.slotTokens };
      return {
        ...view,
        engine,
        slots: Array.from({ length: event.slots }, (_, slot) => emptySlot(slot)),
        underWay: [],
      };
    }
    case "engine.lost":
      return foldEngineLost(view, event.reason);
    case "policy.chosen":
      return { ...view, policy: event.policy };
    case "queue.paused":
      return { ...view, pausedSinceMs: event.atMs };
    case "queue.resumed":
      return { ...view, pausedSinceMs: null };
    case "request.moved_up":
      return foldMove(view, event.requestId, true);
    case "request.move_undone":
      return foldMove(view, event.requestId, false);
    case "prefix.pinned":
      return { ...view, pinned: [...view.pinned, event.agent] };
    case "prefix.unpinned":
      return { ...view, pinned: view.pinned.filter((agent) => agent !== event.agent) };
    case "workflow.declared":
      return refreshTasks({ ...view, workflows: { ...view.workflows, [event.workflow.workflowId]: event.workflow } });
    case "workflow.withdrawn": {
      const { [event.workflowId]: _, ...workflows } = view.workflows;
      return refreshTasks({ ...view, workflows });
    }
    case "task.started":
      return foldTaskStarted(view, event);
    case "task.finished":
      return foldTaskFinished(view, event);
    case "request.arrived":
      return refreshTasks(foldArrival(view, event));
    case "request.admitted":
      return refreshTasks(foldAdmission(view, event));
    case "request.requeued":
      return refreshTasks(foldRequeue(view, event));
    case "request.preempted":
      return refreshTasks(foldPreemption(view, event));
    case "request.finished":
    case "request.cancelled":
    case "request.failed":
      return refreshTasks(foldEnding(view, event));
    case "decision.made":
      return foldDecision(view, event.decision);
    case "batch.started":
      return { ...view, underWay: event.work };
    case "batch.stepped":
    case "batch.finished":
      return foldBatch(view, event);
    case "batch.interrupted":
    case "request.refused":
    case "act.refused":
    case "trace.announced":
    case "alarm.set":
      return view;
    default:
      return event satisfies never;
  }
}
