/** The scheduler: one input in, the events it caused out. Every driver (live, simulated, replayed, tested) calls this alone. */
import type { BatchResult } from "../contract/engine";
import type { SchedulerConfig } from "./config";
import { endOverdue } from "./deadline";
import { decide } from "./decide";
import type { DecisionTrigger } from "./decision";
import type { TopasEvent } from "./events";
import type { Input } from "./inputs";
import { freeSlots, hasWaiting } from "./occupancy";
import { isOutdated, planBatch } from "./plan-batch";
import { takeMoveUndo, takeMoveUp, takePause, takePin, takeResume, takeUnpin } from "./receive-act";
import { takeBatchResult } from "./receive-batch";
import { takeEngineGivenUp, takeEngineLost, takeEngineReady } from "./receive-engine";
import { takeCancellation, takeRequest } from "./receive-request";
import type { SchedulerState } from "./state";
import { finishIdleTasks, setAlarm } from "./tasks";
import { startTurn, type Turn } from "./turn";

export interface Received {
  /** The same object that came in: it belongs to the driver, and only events change it. */
  readonly state: SchedulerState;
  readonly events: readonly TopasEvent[];
}

export function receive(state: SchedulerState, input: Input, config: SchedulerConfig): Received {
  const turn = startTurn(state, config, input.atMs);
  finishIdleTasks(turn);
  const hasRoom = endOverdue(turn);
  const trigger = take(turn, input) ?? (hasRoom ? "cancellation" : null);
  if (trigger !== null) decide(turn, trigger);
  steerEngine(turn);
  setAlarm(turn);
  return { state, events: turn.events };
}

/** Notes what happened; gives the reason to decide anew, if there is one. */
function take(turn: Turn, input: Input): DecisionTrigger | null {
  switch (input.kind) {
    case "request.submitted":
      return takeRequest(turn, input.request);
    case "request.cancelled":
      return takeCancellation(turn, input.requestId, input.reason);
    case "workflow.declared":
      turn.emit({ kind: "workflow.declared", workflow: input.workflow });
      return null;
    case "workflow.withdrawn":
      if (turn.state.workflows.has(input.workflowId)) {
        turn.emit({ kind: "workflow.withdrawn", workflowId: input.workflowId });
      }
      return null;
    case "queue.paused":
      return takePause(turn);
    case "queue.resumed":
      return takeResume(turn);
    case "request.moved_up":
      return takeMoveUp(turn, input.requestId);
    case "request.move_undone":
      return takeMoveUndo(turn, input.requestId);
    case "prefix.pinned":
      return takePin(turn, input.agent);
    case "prefix.unpinned":
      return takeUnpin(turn, input.agent);
    case "trace.announced":
      turn.emit({ kind: "trace.announced", calls: input.calls });
      return null;
    case "policy.chosen":
      turn.emit({ kind: "policy.chosen", policy: input.policy });
      return "policy";
    case "engine.ready":
      return takeEngineReady(turn, input);
    case "engine.lost":
      return takeEngineLost(turn, input.reason);
    case "engine.given_up":
      return takeEngineGivenUp(turn, input.reason);
    case "batch.stepped":
    case "batch.finished":
      return takeBatchResult(turn, input) ?? stepTrigger(turn, input.result);
    case "alarm.rang":
      return null;
    default:
      return input satisfies never;
  }
}

/**
 * A hold is looked at again now and then, for ageing and progress may have turned it, and at once when a prompt has been
 * computed: then others can fork from it, and nobody is held up by it any more.
 */
function stepTrigger({ state, config }: Turn, { answers }: BatchResult): DecisionTrigger | null {
  const isDue =
    state.steps % config.decideEverySteps === 0 ||
    answers.some(({ requestId }) => state.requests.get(requestId)?.generated.length === 1);
  return isDue && !state.isPaused && hasWaiting(state) && freeSlots(state).length > 0 ? "step" : null;
}

/** Gives the engine its next batch, or ends the one in which it would go on with what should not run any more. */
function steerEngine(turn: Turn): void {
  const { state, config } = turn;
  const { batchInFlight } = state;
  if (state.engine.phase !== "ready") return;
  if (batchInFlight !== null) {
    if (batchInFlight.steps > 1 && isOutdated(state, batchInFlight))
      turn.emit({ kind: "batch.interrupted", batchId: batchInFlight.batchId });
    return;
  }
  const batch = planBatch(state, config);
  if (batch !== null) turn.emit({ kind: "batch.started", batch });
}
