/**
 * What Continuum keeps in the KV cache for programs that are away: content belongs to the program whose call left it last, until
 * its time to live is over and none of its calls waits. The time is worked out anew from the gaps known now, not kept from the end of
 * the call; two calls that ended at the same moment are not told apart.
 */
import type { Milliseconds, Seconds, TaskId } from "../contract/ids";
import { prefillSeconds, restoreSeconds } from "../topas/cost";
import type { SchedulerState, TaskState } from "../topas/state";
import { type TimeToLive, timeToLive } from "./time-to-live";

/** An idle slot or a shared prefix. */
interface Content {
  readonly tokens: number;
  readonly lastUsedAtMs: Milliseconds;
}

export interface Pins {
  /** The programs it is kept for. */
  on(content: Content): readonly TaskState[];
}

export function pinsNow(state: SchedulerState): Pins {
  const firstWaiting = new Map<TaskId, Milliseconds>();
  for (const { spec, slot, arrivedAtMs } of state.requests.values()) {
    if (slot === null && !firstWaiting.has(spec.taskId)) firstWaiting.set(spec.taskId, arrivedAtMs);
  }
  const endedAt = new Map<Milliseconds, TaskState[]>();
  for (const task of state.tasks.values()) {
    if (task.lastEndedAtMs === null) continue;
    const known = endedAt.get(task.lastEndedAtMs);
    if (known === undefined) endedAt.set(task.lastEndedAtMs, [task]);
    else known.push(task);
  }
  const liveFor = timeToLive(state.toolGapsMs);
  const waitS = meanWaitSeconds(state);
  return {
    on({ tokens, lastUsedAtMs }) {
      if (tokens === 0) return [];
      const expiresAtMs = lastUsedAtMs + 1000 * contentLives(state, tokens, waitS, liveFor);
      const isKept = ({ taskId }: TaskState) => expiresAtMs >= (firstWaiting.get(taskId) ?? state.nowMs);
      return (endedAt.get(lastUsedAtMs) ?? []).filter(isKept);
    },
  };
}

function contentLives(state: SchedulerState, tokens: number, waitS: Seconds, liveFor: TimeToLive): Seconds {
  const { costs, storeTokens } = state.engine;
  const reloadS = storeTokens >= tokens ? restoreSeconds(costs, tokens) : prefillSeconds(costs, tokens);
  return liveFor(waitS + reloadS);
}

/** T, from the requests that run or wait now. Eta, how far being further along means being nearly done, is taken as 1. */
function meanWaitSeconds(state: SchedulerState): Seconds {
  let waitedMs = 0;
  for (const { slot, arrivedAtMs, admittedAtMs, waitingSinceMs } of state.requests.values()) {
    waitedMs += slot === null ? state.nowMs - waitingSinceMs : (admittedAtMs ?? state.nowMs) - arrivedAtMs;
  }
  return state.requests.size === 0 ? 0 : waitedMs / state.requests.size / 1000;
}
