/** TOPAS's decisions in plain words: what was done, why, and by how much. */

import type { RequestId } from "../../contract/ids";
import type { Candidate, Kept, Terms } from "../../topas/decision";
import { nextCaller } from "../../topas/next-stages";
import { runningRequests } from "../../topas/occupancy";
import type { RequestState, SchedulerState } from "../../topas/state";
import type { HoldReason } from "../waits";
import type { World } from "./world";

export function whyAdmitted(state: SchedulerState, candidates: readonly Candidate[], together: number): string {
  const [best, next] = candidates;
  if (best?.action.kind !== "admit") return "Admitted nobody.";
  const { requestId, slot, source, evicts } = best.action;
  const label = state.requests.get(requestId)?.label ?? requestId;
  const from = source.kind === "fork" ? `, forked from slot ${source.from}` : "";
  const gone = evicts.length === 0 ? "" : `, evicting ${evicts.join(" and ")}`;
  const done = `Admitted ${label} to slot ${slot}${from}${gone}`;
  if (together === 0) return done;
  const others = together === 1 ? "" : ` together with ${together - 1} more`;
  if (next === undefined) return `${done}${others}: nothing else could run.`;
  const rival = next.action.kind === "hold" ? "holding the slot" : nameOf(state, next, requestId);
  return `${done}${others}: ${milliseconds(best.score - next.score)} better than ${rival}.`;
}

/** The same request may stand twice, once for each free slot. */
function nameOf(state: SchedulerState, { action }: Candidate, requestId: string): string {
  if (action.kind !== "admit") return "holding the slot";
  if (action.requestId === requestId) return `slot ${action.slot}`;
  return state.requests.get(action.requestId)?.label ?? action.requestId;
}

/** Reads after "goes first because". The term in which it is most ahead of the next one decides the words. */
export function whyFirst(state: SchedulerState, request: RequestState, best: Terms, next: Terms): string {
  const term = mostAhead(best, next);
  const task = state.tasks.get(request.spec.taskId);
  const workflow = request.spec.workflowId === null ? undefined : state.workflows.get(request.spec.workflowId);
  const name = task !== undefined && workflow !== undefined ? `${workflow.name} ${task.number}` : null;
  switch (term) {
    case null:
      return "it arrived earlier";
    case "age":
      return `${name ?? "it"} has been under way for longer`;
    case "priority":
      return "its priority is higher";
    case "fairness":
      return "its client had less of the engine lately";
    case "reuse":
      return "more requests need its prefix next";
    case "move":
      return "less of its prefix has to be computed";
    case "slow":
      return "it slows the others down less";
    case "progress":
      return name === null ? "it shortens the work left more" : `${name} ends sooner by it`;
    case "preempt":
      return "nothing that runs has to stop for it";
    default:
      return term satisfies never;
  }
}

/** Null where the two are as good as equal. */
function mostAhead(one: Terms, other: Terms): keyof Terms | null {
  const names = Object.keys(one) as (keyof Terms)[];
  const ahead = (name: keyof Terms) => one[name] - other[name];
  const best = names.reduce((most, name) => (ahead(name) > ahead(most) ? name : most), "progress");
  return ahead(best) > TOLD_APART_S ? best : null;
}

/** Less than this is not a reason that anybody would believe. */
const TOLD_APART_S = 0.001;

/** Why the best admission lost against leaving the slots as they are: the warm prefix it would cost, its prompt, or slower steps. */
export function holdReason(
  { state }: World,
  candidates: readonly Candidate[],
): { reason: HoldReason; verdict: string } {
  const best = candidates.find((candidate) => candidate.action.kind === "admit");
  const running = state.slots.filter((slot) => slot.requestId !== null).length;
  if (best?.action.kind !== "admit") return { reason: { kind: "speed", running }, verdict: "Admitted nobody." };
  const { terms, score, action } = best;
  const hold = candidates.find((candidate) => candidate.action.kind === "hold");
  const margin = milliseconds((hold?.score ?? 0) - score);
  const isForPrefix = terms.reuse < 0 && (score - terms.reuse > 0 || terms.reuse <= Math.min(terms.move, terms.slow));
  const [evicted] = action.evicts;
  if (isForPrefix && evicted !== undefined) {
    const kept: Kept = { slot: action.slot, agent: evicted, forWhom: nextCaller(state, evicted) };
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

export function milliseconds(seconds: number): string {
  return `${Math.round(Math.abs(seconds) * 1000).toLocaleString("en-US")} ms`;
}
