/** TOPAS's decisions in plain words: what was done, why, and by how much. */

import type { RequestId } from "../contract/ids";
import type { Candidate, Kept, Terms } from "../topas/decision";
import { nextCaller } from "../topas/next-stages";
import { runningRequests } from "../topas/occupancy";
import type { RequestState, SchedulerState } from "../topas/state";
import type { HoldReason } from "./waits";

export function whyAdmitted(
  state: SchedulerState,
  best: Candidate,
  next: Candidate | undefined,
  overdue: RequestState | null,
): string {
  if (best.action.kind === "hold") return "Admitted nobody.";
  const { requestId, slot, source, evicts } = best.action;
  const label = state.requests.get(requestId)?.label ?? requestId;
  const from = source.kind === "fork" ? `, forked from slot ${source.from}` : "";
  const done = `Admitted ${label} to slot ${slot}${from}${evicts === null ? "" : `, evicting ${evicts}`}`;
  if (overdue !== null) return `${done}: it has waited longer than the bound.`;
  if (next === undefined) return `${done}: nothing else could run.`;
  const rival = next.action.kind === "hold" ? "holding the slot" : nameOf(state, next, requestId);
  return `${done}: ${milliseconds(best.score - next.score)} better than ${rival}.`;
}

/** The same request may stand twice, once for each free slot. */
function nameOf(state: SchedulerState, { action }: Candidate, requestId: string): string {
  if (action.kind === "hold") return "holding the slot";
  if (action.requestId === requestId) return `slot ${action.slot}`;
  return state.requests.get(action.requestId)?.label ?? action.requestId;
}

/** Reads after "goes first because". The largest positive term decides the words. */
export function whyFirst(state: SchedulerState, request: RequestState, { terms }: Candidate): string {
  const task = state.tasks.get(request.spec.taskId);
  const workflow = request.spec.workflowId === null ? undefined : state.workflows.get(request.spec.workflowId);
  const name = task !== undefined && workflow !== undefined ? `${workflow.name} ${task.number}` : "it";
  switch (largest(terms)) {
    case "age":
      return `${name} has been under way for longer`;
    case "reuse":
      return "more requests need its prefix next";
    case "progress":
    case "move":
    case "slow":
      return name === "it" ? "it shortens the work left more" : `${name} ends sooner by it`;
  }
}

function largest(terms: Terms): keyof Terms {
  const names = Object.keys(terms) as (keyof Terms)[];
  return names.reduce((best, name) => (terms[name] > terms[best] ? name : best), "progress");
}

/** Why the best admission lost against leaving the slots as they are: the warm prefix it would cost, its prompt, or slower steps. */
export function holdReason(
  state: SchedulerState,
  candidates: readonly Candidate[],
): { reason: HoldReason; verdict: string } {
  const best = candidates.find((candidate) => candidate.action.kind === "admit");
  const running = state.slots.filter((slot) => slot.requestId !== null).length;
  if (best?.action.kind !== "admit") return { reason: { kind: "speed", running }, verdict: "Admitted nobody." };
  const { terms, score, action } = best;
  const margin = milliseconds(-score);
  const isForPrefix = terms.reuse < 0 && (score - terms.reuse > 0 || terms.reuse <= Math.min(terms.move, terms.slow));
  if (isForPrefix && action.evicts !== null) {
    const kept: Kept = { slot: action.slot, agent: action.evicts, forWhom: nextCaller(state, action.evicts) };
    const verdict = `Kept ${kept.agent} warm in slot ${kept.slot}: ${margin} better than giving it away.`;
    return { reason: { kind: "prefix", kept }, verdict };
  }
  if (terms.move < terms.slow) {
    const verdict = `Admitted nobody: a new prompt would hold up those that run, ${margin} worse than waiting.`;
    const tasks = tasksHeldUp(state, action.requestId);
    return { reason: { kind: "move", tasks: tasks - 1, held: -terms.move / tasks }, verdict };
  }
  const verdict = `Admitted nobody: ${running} at once finish sooner than ${running + 1}, by ${margin}.`;
  return { reason: { kind: "speed", running }, verdict };
}

/** The move term counts the time once for every task that sits through it, the admitted one's own too. */
function tasksHeldUp(state: SchedulerState, requestId: RequestId): number {
  const beside = runningRequests(state).map((request) => request.spec.taskId);
  return new Set(beside).add(state.requests.get(requestId)?.spec.taskId ?? "").size;
}

function milliseconds(seconds: number): string {
  return `${Math.round(Math.abs(seconds) * 1000).toLocaleString("en-US")} ms`;
}
