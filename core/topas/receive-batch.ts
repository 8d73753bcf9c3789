/** A step of a batch: tokens are noted, requests that are done leave, those the engine could not serve fail alone. */
import type { BatchAnswer } from "../contract/engine";
import type { RequestId } from "../contract/ids";
import type { DecisionTrigger } from "./decision";
import type { FinishReason } from "./events";
import type { EngineInput } from "./inputs";
import { freeSlots, hasWaiting } from "./occupancy";
import { outputLimit } from "./service";
import { finishTaskIfOver } from "./tasks";
import type { Turn } from "./turn";

type StepInput = Extract<EngineInput, { kind: "batch.stepped" | "batch.finished" }>;

/** Results of a batch that was under way when its engine was lost are of no use and are dropped. */
export function takeBatchResult(turn: Turn, { kind, result }: StepInput): DecisionTrigger | null {
  const { state } = turn;
  if (state.batchInFlight?.batchId !== result.batchId) return null;
  const slotsFreeBefore = freeSlots(state).length;
  turn.emit({
    kind,
    batchId: result.batchId,
    durationMs: result.durationMs,
    answers: result.answers,
    failedRequests: result.failures.map((failure) => failure.requestId),
  });
  for (const answer of result.answers) finishIfDone(turn, answer);
  for (const { requestId, message } of result.failures) {
    if (state.requests.has(requestId)) end(turn, requestId, { kind: "request.failed", requestId, message });
  }
  const freed = freeSlots(state).length > slotsFreeBefore;
  if (!freed || !hasWaiting(state)) return null;
  return result.failures.length > 0 ? "failure" : "completion";
}

function finishIfDone(turn: Turn, answer: BatchAnswer): void {
  const request = turn.state.requests.get(answer.requestId);
  if (!request) return;
  const full = request.generated.length >= outputLimit(turn.state, request);
  const reason: FinishReason | null = answer.ended ?? (full ? "length" : null);
  if (reason !== null) end(turn, answer.requestId, { kind: "request.finished", requestId: answer.requestId, reason });
}

function end(turn: Turn, requestId: RequestId, event: Parameters<Turn["emit"]>[0]): void {
  const taskId = turn.state.requests.get(requestId)?.spec.taskId;
  turn.emit(event);
  if (taskId !== undefined) finishTaskIfOver(turn, taskId);
}
