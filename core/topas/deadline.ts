/** Deadlines of requests: one that cannot be met is refused at once, one that was not met ends its request. */
import type { Seconds } from "../contract/ids";
import { commonPrefixTokens } from "./common-prefix";
import { prefillSeconds, stepSeconds } from "./cost";
import type { Refusal } from "./events";
import type { RequestSpec } from "./inputs";
import type { SchedulerState } from "./state";
import { finishTaskIfOver } from "./tasks";
import type { Turn } from "./turn";

/** Timers may ring a little early; nobody asks for less. */
const toleranceMs = 1;

/** Only what is certain counts: its prompt, less what the KV cache holds of it, and one step, with the engine to itself. */
export function unmeetableDeadline(state: SchedulerState, request: RequestSpec): Refusal | null {
  const { deadlineMs } = request;
  if (deadlineMs === undefined) return null;
  const leftS = (deadlineMs - state.nowMs) / 1000;
  const neededS = state.engine.phase === "ready" ? leastSeconds(state, request) : 0;
  if (leftS > neededS) return null;
  const left = leftS <= 0 ? "The deadline has passed already." : `The deadline is in ${leftS.toFixed(2)} s.`;
  const needed = neededS === 0 ? "" : ` Computing the prompt alone takes ${neededS.toFixed(2)} s.`;
  return { code: "deadline_unmeetable", message: `${left}${needed}` };
}

function leastSeconds(state: SchedulerState, { promptTokens }: RequestSpec): Seconds {
  const held = [...state.slots, ...state.prefixes.values(), ...state.store.values()];
  const known = held.map(({ tokens }) => commonPrefixTokens(promptTokens, tokens));
  const toCompute = promptTokens.length - Math.max(0, ...known);
  return prefillSeconds(state.engine.costs, toCompute) + stepSeconds(state.engine.costs, 1);
}

/** True if any was ended: its room is free then. */
export function endOverdue(turn: Turn): boolean {
  const { state } = turn;
  let hasEnded = false;
  for (const { spec, generated } of [...state.requests.values()]) {
    if (spec.deadlineMs === undefined || spec.deadlineMs > state.nowMs + toleranceMs) continue;
    const reason = `Its deadline passed with ${generated.length} tokens generated.`;
    turn.emit({ kind: "request.cancelled", requestId: spec.requestId, reason, cause: "deadline" });
    finishTaskIfOver(turn, spec.taskId);
    hasEnded = true;
  }
  return hasEnded;
}
