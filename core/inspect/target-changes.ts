/** What could have been otherwise about the request that did not win: its age, its prefix, its answer, its room, its workflow. */
import { waitBoundMs } from "../policies/topas/overdue";
import { freeSlots } from "../topas/occupancy";
import { outputLimit } from "../topas/service";
import type { RequestState } from "../topas/state";
import { type Asking, type Changed, type Found, leastThatWins, type Steps, senseless } from "./asking";
import * as change from "./changes";
import { count, spanWords } from "./words";

/** Longest time and finest step that "sooner" is looked for with. */
const soonerMaxMs = 1_024_000;
const soonerStepMs = 100;

export function* older(asking: Asking, target: RequestState): Steps<Found> {
  const { state, config } = asking.question;
  const waitedMs = Math.round(state.nowMs - target.arrivedAtMs);
  const boundMs = state.policy === "topas" ? waitBoundMs(state, config) : Number.POSITIVE_INFINITY;
  const changed = (ms: number): Changed => {
    const isOverdue = state.nowMs - target.waitingSinceMs + ms >= boundMs;
    const bound = isOverdue ? `, and so waited ${spanWords(boundMs)}, the bound on waiting` : "";
    return {
      kind: "older",
      state: change.olderBy(state, target.spec.requestId, ms),
      sentence: `it had come ${spanWords(ms)} sooner${bound}`,
      from: waitedMs,
      to: waitedMs + ms,
    };
  };
  const least = yield* leastThatWins(soonerStepMs, soonerMaxMs, (ms) => asking.wins(changed(ms)));
  return { tried: "older", changed: least === null ? null : changed(least) };
}

/** Tried in each slot it could lie in; those that hold least come first. */
export function* prefixHere(asking: Asking, target: RequestState): Steps<Found> {
  const { state } = asking.question;
  const { agent, prefixTokens, requestId } = target.spec;
  const isSlotPool = state.engine.budgetTokens === null;
  const isThere = isSlotPool
    ? state.slots.some((slot) => slot.agent === agent && slot.tokens.length >= prefixTokens)
    : state.prefixes.has(agent);
  if (isThere || prefixTokens === 0) return senseless;
  const free = freeSlots(state).sort((a, b) => a.tokens.length - b.tokens.length || a.slot - b.slot);
  for (const { slot, agent: held } of isSlotPool ? free : free.slice(0, 1)) {
    const instead = held === null || held === agent ? "" : `, not ${held}'s`;
    const changed: Changed = {
      kind: "prefix_resident",
      state: change.withPrefix(state, requestId, slot),
      sentence: isSlotPool ? `slot ${slot} held its prefix${instead}` : "its prefix were warm",
      from: 0,
      to: prefixTokens,
    };
    if (yield* asking.wins(changed)) return { tried: "prefix_resident", changed };
  }
  return free.length === 0 ? senseless : { tried: "prefix_resident", changed: null };
}

/** The longest limit on its answer with which it wins: it then needs less time and, in a token pool, less room. */
export function* shorterAnswer(asking: Asking, target: RequestState): Steps<Found> {
  const { state } = asking.question;
  const limit = outputLimit(state, target);
  if (limit < 2 || target.generated.length > 0) return senseless;
  const changed = (fewer: number): Changed => ({
    kind: "shorter_answer",
    state: change.withMaxTokens(state, target.spec.requestId, limit - fewer),
    sentence: `it asked for at most ${count(limit - fewer)} tokens, not ${count(limit)}`,
    from: limit,
    to: limit - fewer,
  });
  const least = yield* leastThatWins(1, limit - 1, (fewer) => asking.wins(changed(fewer)));
  return { tried: "shorter_answer", changed: least === null ? null : changed(least) };
}

export function* moreRoom(asking: Asking, target: RequestState): Steps<Found> {
  const { state } = asking.question;
  const slots = state.slots.length;
  return yield* asking.tryOne({
    kind: "more_room",
    state: change.withMoreRoom(state, target.spec.requestId),
    sentence: `there were ${slots + 1} slots, not ${slots}`,
    from: slots,
    to: slots + 1,
  });
}

export function* workflowEnds(asking: Asking, target: RequestState): Steps<Found> {
  const { state } = asking.question;
  const { workflowId, stageId } = target.spec;
  const workflow = workflowId === null ? undefined : state.workflows.get(workflowId);
  if (workflow === undefined || stageId === null) return senseless;
  if (!workflow.stages.some(({ after }) => after.includes(stageId))) return senseless;
  return yield* asking.tryOne({
    kind: "workflow_ends",
    state: change.withWorkflowEnding(state, workflow.workflowId, stageId),
    sentence: `${workflow.name} ended with its stage ${stageId}`,
  });
}
