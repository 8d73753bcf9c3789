/** The terms of TOPAS's score for one admission, each in seconds. Everything that does not depend on the pair is worked out once. */
import type { AgentId, RequestId, Seconds, SlotIndex, TaskId } from "../contract/ids";
import type { SchedulerConfig } from "../topas/config";
import { moveSeconds, prefillSeconds } from "../topas/cost";
import type { Candidate, Terms } from "../topas/decision";
import { type Estimates, estimatesNow } from "../topas/estimates";
import { callsAhead, callsToCome } from "../topas/next-stages";
import { runningRequests } from "../topas/occupancy";
import { grahamBound, parallelism, remaining } from "../topas/path";
import { bestSource } from "../topas/prefix";
import type { RequestState, SchedulerState, SlotState, TaskState } from "../topas/state";
import { admitted } from "./candidates";
import { leftoverLoss } from "./leftover";
import { slowSeconds } from "./topas-slow";

/** Leaving the slots as they are; `costS` stands as its age, because it makes everyone who waits older. */
export function holdCandidate(costS: Seconds): Candidate {
  return {
    action: { kind: "hold" },
    terms: { progress: 0, age: 0 - costS, move: 0, slow: 0, reuse: 0, preempt: 0 },
    score: 0 - costS,
  };
}

/** Small enough that how lately a slot was used only parts slots that are worth the same. */
const leastRecentShare = 1e-6;

export interface Scorer {
  admission(request: RequestState, slot: SlotState): Candidate;
  /** As if a slot that holds nothing of use were free: orders the queue while none is. */
  inAnySlot(request: RequestState): Candidate;
  /** Value of leaving a slot as it is; breaks ties between slots. */
  keepValue(slot: SlotIndex): number;
}

/** The best candidate of one request, from a list that is sorted best first. */
export function scoreOf(candidates: readonly Candidate[], request: RequestState): Candidate | undefined {
  return candidates.find(({ action }) => action.kind === "admit" && action.requestId === request.spec.requestId);
}

export function scorer(state: SchedulerState, config: SchedulerConfig): Scorer {
  const running = runningRequests(state);
  const estimates = estimatesNow(state, config);
  const gain = progressGain(state, config, estimates);
  const runningTasks = new Set<TaskId>(running.map((request) => request.spec.taskId));
  const ahead = callsAhead(state);
  const toCome = callsToCome(state);
  const { costs } = state.engine;
  const loss = leftoverLoss(state, toCome);
  const slotValue = state.slots.map((slot) => warmValue(state, slot, ahead));

  function termsOf(request: RequestState, slot: SlotState, overwrites: boolean): Terms {
    const { progress, age } = gain(request);
    const source = bestSource(state, request, slot);
    const tasks = runningTasks.size + Number(!runningTasks.has(request.spec.taskId));
    const move = 0 - tasks * moveSeconds(costs, request.spec.prefixTokens, source); // never -0, which a file would lose
    const slow = slowSeconds(state, estimates, running, request);
    const lost = overwrites && slot.agent !== request.spec.agent ? (slotValue[slot.slot] ?? 0) : 0;
    const leftover = overwrites ? loss(request, slot) : 0;
    const reuse = config.reuseShare * (broughtValue(state, request, ahead) - lost - leftover);
    const { terms } = config;
    return {
      progress,
      age: terms.age ? age : 0,
      move: terms.move ? move : 0,
      slow: terms.slow ? slow : 0,
      reuse: terms.reuse ? reuse : 0,
      preempt: 0,
    };
  }

  function candidate(request: RequestState, slot: SlotState, overwrites: boolean): Candidate {
    const terms = termsOf(request, slot, overwrites);
    const score = terms.progress + terms.age + terms.move + terms.slow + terms.reuse;
    return { action: admitted(state, request, slot, terms.progress), terms, score };
  }

  return {
    admission: (request, slot) => candidate(request, slot, true),
    inAnySlot(request) {
      const slot = state.slots.find((other) => other.agent === request.spec.agent) ?? state.slots[0];
      return slot === undefined ? holdCandidate(0) : candidate(request, slot, false);
    },
    keepValue(index) {
      const slot = state.slots[index];
      if (slot === undefined || slot.agent === null) return -1;
      const later = (toCome.get(slot.agent) ?? 0) * prefillSeconds(costs, slot.prefixTokens);
      return later + leastRecentShare * (slot.lastUsedAtMs / (1 + state.nowMs));
    },
  };
}

/** What the prefix in a slot is worth to the stages one hop ahead: nothing if another slot holds it as well. */
function warmValue(state: SchedulerState, slot: SlotState, ahead: ReadonlyMap<AgentId, number>): Seconds {
  if (slot.agent === null) return 0;
  const elsewhere = state.slots.some((other) => other.slot !== slot.slot && other.agent === slot.agent);
  const saved = prefillSeconds(state.engine.costs, Math.min(slot.prefixTokens, slot.tokens.length));
  return elsewhere ? 0 : (ahead.get(slot.agent) ?? 0) * saved;
}

/** What bringing in a prefix that no slot holds is worth to the other calls of its agent. */
function broughtValue(state: SchedulerState, request: RequestState, ahead: ReadonlyMap<AgentId, number>): Seconds {
  const { agent, prefixTokens } = request.spec;
  if (state.slots.some((slot) => slot.agent === agent && slot.tokens.length > 0)) return 0;
  const others = Math.max(0, (ahead.get(agent) ?? 0) - 1);
  return others * prefillSeconds(state.engine.costs, prefixTokens);
}

/** How much sooner its task can end when a request runs now, and what the task's age adds to that. */
function progressGain(state: SchedulerState, config: SchedulerConfig, estimates: Estimates) {
  const speedup = parallelism(state);
  const isRunning = (request: RequestState) => request.slot !== null;
  const lengthOf = (task: TaskState, isServed: (request: RequestState) => boolean) =>
    grahamBound(remaining(state, task, isServed, estimates, config), speedup);
  const lengths = new Map<TaskId, Seconds>();
  for (const task of state.tasks.values()) lengths.set(task.taskId, lengthOf(task, isRunning));
  const left = [...lengths.values()].filter((seconds) => seconds > 0);
  const mean = left.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, left.length);
  const known = new Map<RequestId, { progress: Seconds; age: Seconds }>();

  return (request: RequestState) => {
    const { requestId, taskId } = request.spec;
    const seen = known.get(requestId);
    if (seen !== undefined) return seen;
    const task = state.tasks.get(taskId);
    const length = lengths.get(taskId) ?? 0;
    if (!task) return { progress: 0, age: 0 };
    const after = lengthOf(task, (other) => other === request || isRunning(other));
    const weight = (mean / Math.max(length, 1e-3)) ** config.shortTaskShare;
    const progress = (length - after) * weight;
    const waited = Math.max(0, state.nowMs - task.startedAtMs);
    const age = progress * config.ageingStrength * Math.log(1 + waited / config.ageingHalfMs);
    known.set(requestId, { progress, age });
    return { progress, age };
  };
}
