/** Requests that come and go from outside. A refusal is an answer, never an exception. */
import { contextLengthMessage } from "../contract/context-length";
import type { RequestId } from "../contract/ids";
import { unmeetableDeadline } from "./deadline";
import type { DecisionTrigger } from "./decision";
import type { Refusal } from "./events";
import type { RequestSpec } from "./inputs";
import { placeFreeAfterMs } from "./queue-rate";
import { ensureTask, finishTaskIfOver } from "./tasks";
import type { Turn } from "./turn";

export function takeRequest(turn: Turn, request: RequestSpec): DecisionTrigger | null {
  const refusal = refuse(turn, request);
  if (refusal !== null) {
    turn.emit({ kind: "request.refused", requestId: request.requestId, refusal });
    return null;
  }
  ensureTask(turn, request);
  const count = (turn.state.agentRequests.get(request.agent) ?? 0) + 1;
  turn.emit({ kind: "request.arrived", request, label: `${request.agent}#${count}`, arrival: turn.state.arrivals + 1 });
  return "arrival";
}

function refuse({ state, config }: Turn, request: RequestSpec): Refusal | null {
  const promptTokens = request.promptTokens.length;
  const { slotTokens } = state.engine;
  if (state.requests.has(request.requestId)) {
    return { code: "duplicate_request", message: `Request ${request.requestId} is already here.` };
  }
  if (promptTokens === 0) return { code: "empty_prompt", message: "The prompt is empty." };
  if (slotTokens > 0 && promptTokens >= slotTokens) {
    const message = contextLengthMessage(promptTokens, slotTokens);
    return { code: "context_length_exceeded", message, promptTokens, slotTokens };
  }
  let waiting = 0;
  for (const other of state.requests.values()) if (other.slot === null) waiting += 1;
  if (waiting < config.waitingMax) return unmeetableDeadline(state, request);
  const retryAfterMs = placeFreeAfterMs(state);
  const message = `${waiting} requests are waiting, which is the limit. Try again later.`;
  return { code: "queue_full", message, ...(retryAfterMs === null ? {} : { retryAfterMs }) };
}

export function takeCancellation(turn: Turn, requestId: RequestId, reason: string): DecisionTrigger | null {
  const request = turn.state.requests.get(requestId);
  if (!request) return null;
  turn.emit({ kind: "request.cancelled", requestId, reason });
  finishTaskIfOver(turn, request.spec.taskId);
  return "cancellation";
}
