/** What one decision needs to know, worked out once: who could run, whose prefix is where, and what each is worth. */
import type { AgentId, Seconds, TaskId } from "../../contract/ids";
import type { SchedulerConfig } from "../../topas/config";
import { prefillSeconds, restoreSeconds, saveSeconds } from "../../topas/cost";
import { type Estimates, estimatesNow } from "../../topas/estimates";
import { stagesAhead } from "../../topas/next-stages";
import { freeSlots, runningRequests, waitingRequests } from "../../topas/occupancy";
import { kvPool, type Resident } from "../../topas/pool";
import type { RequestState, SchedulerState } from "../../topas/state";
import { demandTokens } from "../../topas/token-pool";
import { type Gain, type ProgressGains, progressGains, worthOf } from "./gains";

/** A waiting request. */
export interface Ready {
  readonly request: RequestState;
  readonly agent: AgentInPlay;
  /** Room it takes in the pool beside its agent's prefix: tokens, or one slot. */
  readonly demand: number;
  /** What it is worth if nothing else is admitted. */
  readonly gain: Gain;
  /** What it slows down if it is the first that is admitted; null until somebody asks. */
  slowFirstS: Seconds | null;
  /** In `World.ready`. */
  place: number;
}

export interface AgentInPlay {
  /** Position in `World.agents`; a prefix set is an array of booleans by it. */
  readonly index: number;
  readonly id: AgentId;
  readonly ready: Ready[];
  readonly idle: Resident[];
  running: number;
  /** Tokens of its prefix, l(a). */
  prefixTokens: number;
  /** Seconds to bring its prefix in while nothing in the pool holds it. */
  bringS: Seconds;
  /** What losing it costs each time it is needed again: the same, and what saving it takes. */
  lossS: Seconds;
  /** By the user: one copy of its prefix stays. */
  isPinned: boolean;
  /** Stages of it about to become ready: all their unfinished predecessors run. */
  ahead: number;
}

/** Its prefix is in the pool, in use or idle. */
export function isResident({ running, idle }: AgentInPlay): boolean {
  return running > 0 || idle.length > 0;
}

export interface World {
  readonly state: SchedulerState;
  readonly config: SchedulerConfig;
  readonly estimates: Estimates;
  readonly gains: ProgressGains;
  readonly running: readonly RequestState[];
  readonly runningTasks: ReadonlySet<TaskId>;
  readonly agents: readonly AgentInPlay[];
  /** One free slot takes one request, whatever prefixes go: pairs of them need not be looked at. */
  readonly hasRoomForTwo: boolean;
  /** Room a request takes in the pool. */
  readonly demandOf: (request: RequestState) => number;
  /** In the order in which a prefix set is packed: largest aged gain first. */
  readonly ready: readonly Ready[];
}

export function worldNow(state: SchedulerState, config: SchedulerConfig): World {
  const estimates = estimatesNow(state, config);
  const gains = progressGains(state, config, estimates);
  const running = runningRequests(state);
  const agents = new AgentsInPlay();
  for (const { spec } of running) agents.of(spec.agent, spec.prefixTokens).running += 1;
  for (const resident of kvPool(state).residents(state)) {
    agents.of(resident.agent, resident.prefixTokens).idle.push(resident);
  }
  const isTokenPool = state.engine.budgetTokens !== null;
  const demandOf = (request: RequestState) => (isTokenPool ? demandTokens(state, request) : 1);
  const ready = waitingRequests(state).map((request): Ready => {
    const agent = agents.of(request.spec.agent, request.spec.prefixTokens);
    const one = { request, agent, demand: demandOf(request), gain: gains.of(request, []), slowFirstS: null, place: 0 };
    agent.ready.push(one);
    return one;
  });
  for (const [id, calls] of stagesAhead(state)) agents.known(id, calls);
  for (const agent of agents.list) {
    price(state, agent);
    agent.isPinned = state.pinned.has(agent.id);
  }
  const worth = ({ gain }: Ready) => worthOf(gain);
  ready.sort((a, b) => worth(b) - worth(a) || a.request.arrival - b.request.arrival);
  ready.forEach((one, place) => {
    one.place = place;
  });
  const hasRoomForTwo = isTokenPool || freeSlots(state).length > 1;
  const runningTasks = new Set(running.map(({ spec }) => spec.taskId));
  return {
    state,
    config,
    estimates,
    gains,
    running,
    runningTasks,
    agents: agents.list,
    hasRoomForTwo,
    demandOf,
    ready,
  };
}

class AgentsInPlay {
  readonly list: AgentInPlay[] = [];
  readonly #byId = new Map<AgentId, AgentInPlay>();

  of(id: AgentId, prefixTokens: number): AgentInPlay {
    const known = this.#byId.get(id);
    if (known !== undefined) {
      known.prefixTokens = Math.max(known.prefixTokens, prefixTokens);
      return known;
    }
    const agent = { id, index: this.list.length, ready: [], idle: [], running: 0 };
    const added: AgentInPlay = { ...agent, prefixTokens, bringS: 0, lossS: 0, isPinned: false, ahead: 0 };
    this.list.push(added);
    this.#byId.set(id, added);
    return added;
  }

  known(id: AgentId, ahead: number): void {
    const agent = this.#byId.get(id);
    if (agent !== undefined) agent.ahead = ahead;
  }
}

/** With a warm store a prefix that has to go is saved and comes back faster than it is computed. */
function price(state: SchedulerState, agent: AgentInPlay): void {
  const { costs, storeTokens } = state.engine;
  const prefill = prefillSeconds(costs, agent.prefixTokens);
  const restore = restoreSeconds(costs, agent.prefixTokens);
  const isStored = [...state.store.values()].some((stored) => stored.agent === agent.id);
  const canStore = storeTokens >= agent.prefixTokens;
  agent.bringS = isStored ? Math.min(prefill, restore) : prefill;
  agent.lossS = canStore
    ? Math.min(prefill, restore + (isStored ? 0 : saveSeconds(costs, agent.prefixTokens)))
    : prefill;
}
