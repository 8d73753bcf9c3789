/**
 * Preemption by parking: a running request gives up its room to one whose task gains clearly more, where what it has produced
 * can be kept in the warm store. Throwing tokens away never paid in any workload, so without a store nobody is preempted.
 */
import type { Seconds } from "../../contract/ids";
import { restoreSeconds, saveSeconds } from "../../topas/cost";
import { type Candidate, scoreOf, type Terms } from "../../topas/decision";
import type { RequestState, SchedulerState } from "../../topas/state";
import { worthOf } from "./gains";
import { isResident, type Ready, type World } from "./world";

/** Requests that might take the room: the most valuable ones. */
const rivalsMax = 3;
/** One that was parked so often is left alone. */
const preemptionsMax = 2;

/** The best preemption, if it is worth more than `atLeast` and the bar of the configuration. */
export function bestPreemption(world: World, atLeast: Seconds): Candidate | null {
  const { state, config, running } = world;
  if (!config.terms.preempt || state.engine.storeTokens === 0 || isBeingFreed(state)) return null;
  let best: Candidate | null = null;
  for (const rival of world.ready.slice(0, rivalsMax)) {
    for (const victim of running) {
      if (!mayBeParked(world, victim) || !makesRoom(world, victim, rival)) continue;
      const terms = termsOf(world, victim, rival);
      const score = scoreOf(terms);
      const isWorthIt = score > atLeast && score > config.preemptBar * worthOf(rival.gain);
      if (!isWorthIt || (best !== null && score <= best.score)) continue;
      const { requestId } = victim.spec;
      best = { action: { kind: "preempt", requestId, slot: victim.slot ?? 0 }, terms, score };
    }
  }
  return best;
}

/** A slot that was given up is free only when the batch under way has ended: until then nothing more is parked. */
function isBeingFreed(state: SchedulerState): boolean {
  return (state.batchInFlight?.work ?? []).some(({ slot }) => state.slots[slot]?.requestId === null);
}

function heldTokens(state: SchedulerState, { slot }: RequestState): number {
  return slot === null ? 0 : (state.slots[slot]?.tokens.length ?? 0);
}

/** Not one that has only just begun, whose prompt is still computed, or that will be over soon. */
function mayBeParked({ state, estimates }: World, victim: RequestState): boolean {
  const held = heldTokens(state, victim);
  const isDecoding = victim.generated.length > 0;
  const left = estimates.outputOf(victim);
  return (
    isDecoding &&
    victim.preemptions < preemptionsMax &&
    victim.movedUp === null &&
    held <= state.engine.storeTokens &&
    left > victim.generated.length * 0.25
  );
}

function makesRoom(world: World, victim: RequestState, rival: Ready): boolean {
  if (victim.spec.taskId === rival.request.spec.taskId) return false;
  if (world.state.engine.budgetTokens === null) return true;
  return isResident(rival.agent) && world.demandOf(victim) >= rival.demand;
}

function termsOf(world: World, victim: RequestState, { agent, gain }: Ready): Terms {
  const { state, gains, runningTasks } = world;
  const { costs } = state.engine;
  const held = heldTokens(state, victim);
  const revoked = gains.ofRunning(victim);
  const redo = (saveSeconds(costs, held) + restoreSeconds(costs, held)) * runningTasks.size;
  const move = isResident(agent) ? 0 : 0 - agent.bringS * runningTasks.size;
  return { ...gain, move, slow: 0, reuse: 0, preempt: 0 - revoked - redo };
}
