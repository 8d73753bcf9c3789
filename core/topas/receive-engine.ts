/** The engine comes and goes. What ran keeps its tokens and its age and waits for a slot again. */
import type { DecisionTrigger } from "./decision";
import type { EngineInput } from "./inputs";
import { dropPinsBeyondBound } from "./receive-act";
import type { RequestState } from "./state";
import { finishTaskIfOver } from "./tasks";
import type { Turn } from "./turn";

type Ready = Extract<EngineInput, { kind: "engine.ready" }>;

export function takeEngineReady(turn: Turn, input: Ready): DecisionTrigger {
  const { slots, slotTokens, budgetTokens, storeTokens, costs } = input;
  const pool = { ...(budgetTokens === undefined ? {} : { budgetTokens }), ...(storeTokens ? { storeTokens } : {}) };
  if (turn.state.engine.phase === "ready") takeEngineLost(turn, "Another engine took over.");
  turn.emit({ kind: "engine.ready", slots, slotTokens, ...pool, costs });
  dropPinsBeyondBound(turn);
  for (const request of [...turn.state.requests.values()]) {
    const tokens = request.spec.promptTokens.length + request.generated.length;
    if (tokens <= slotTokens - 1) continue;
    fail(
      turn,
      request,
      `The request has ${tokens} tokens, a slot of the engine that is loaded now holds ${slotTokens}.`,
    );
  }
  return "engine_ready";
}

export function takeEngineLost(turn: Turn, reason: string): null {
  const { state } = turn;
  if (state.engine.phase === "down") return null;
  turn.emit({ kind: "engine.lost", reason });
  for (const request of [...state.requests.values()]) {
    if (request.slot === null) continue;
    const { requestId } = request.spec;
    turn.emit({ kind: "request.requeued", requestId, generatedTokens: request.generated.length });
  }
  return null;
}

export function takeEngineGivenUp(turn: Turn, reason: string): null {
  takeEngineLost(turn, reason);
  for (const request of [...turn.state.requests.values()])
    fail(turn, request, `The engine could not be started again. ${reason}`);
  return null;
}

function fail(turn: Turn, request: RequestState, message: string): void {
  const { requestId, taskId } = request.spec;
  turn.emit({ kind: "request.failed", requestId, message });
  finishTaskIfOver(turn, taskId);
}
