/** TOPAS's decisions in plain words: what was done, why, and by how much. */
import type { Candidate, Kept, Terms } from "../topas/decision";
import { nextCaller } from "../topas/next-stages";
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

/** A slot was left free: for a warm prefix if that is what made the best admission lose, else because steps would slow down. */
export function holdReason(
  state: SchedulerState,
  candidates: readonly Candidate[],
): { reason: HoldReason; verdict: string } {
  const best = candidates.find((candidate) => candidate.action.kind === "admit");
  const running = state.slots.filter((slot) => slot.requestId !== null).length;
  if (
    best?.action.kind === "admit" &&
    best.terms.reuse < 0 &&
    best.score - best.terms.reuse > 0 &&
    best.action.evicts !== null
  ) {
    const { slot, evicts } = best.action;
    const kept: Kept = { slot, agent: evicts, forWhom: nextCaller(state, evicts) };
    const reason: HoldReason = { kind: "prefix", kept };
    return {
      reason,
      verdict: `Kept ${evicts} warm in slot ${slot}: ${milliseconds(-best.score)} better than giving it away.`,
    };
  }
  const verdict = `Admitted nobody: ${running} at once finish sooner than ${running + 1}, by ${milliseconds(-(best?.score ?? 0))}.`;
  return { reason: { kind: "speed", running }, verdict };
}

function milliseconds(seconds: number): string {
  return `${Math.round(Math.abs(seconds) * 1000).toLocaleString("en-US")} ms`;
}
