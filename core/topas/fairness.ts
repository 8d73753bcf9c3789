/**
 * Fairness between clients, and between agents that send requests of no run: who had less of the engine lately than the others
 * that wait or run counts for more. A workflow's own agents are not told apart, for they work on one thing.
 */
import type { Milliseconds } from "../contract/ids";
import { setBounded } from "./bounded";
import type { SchedulerConfig } from "./config";
import type { RequestState, SchedulerState } from "./state";

/** Time in slots, halved every minute. */
export interface Served {
  readonly ms: Milliseconds;
  readonly atMs: Milliseconds;
}

/** The engine's time counts half as much after so long. */
const halfMs = 60_000;
const partiesMax = 1024;
/** So much is no difference: nobody is put back for a first short answer. */
const toleranceMs = 1000;

/** The parties that a request counts for, among which shares are compared kind by kind. */
function partiesOf(state: SchedulerState, { spec }: RequestState): readonly string[] {
  const client = `client:${spec.client ?? ""}`;
  return state.tasks.get(spec.taskId)?.lone === true ? [client, `agent:${spec.agent}`] : [client];
}

/** Called by `evolve` when a request leaves its slot. */
export function noteServed(state: SchedulerState, request: RequestState, ranMs: Milliseconds): void {
  for (const party of partiesOf(state, request)) {
    const ms = decayed(state, party) + ranMs;
    setBounded(state.served, party, { ms, atMs: state.nowMs }, partiesMax);
  }
}

/** The factor of each open request: above 1 for who had less than the mean. 1 for all while there is one party of a kind. */
export function fairShares(state: SchedulerState, config: SchedulerConfig): (request: RequestState) => number {
  const served = new Map<string, Milliseconds>();
  for (const request of state.requests.values()) {
    const runsMs = request.slot === null ? 0 : state.nowMs - (request.admittedAtMs ?? state.nowMs);
    for (const party of partiesOf(state, request)) {
      served.set(party, (served.get(party) ?? decayed(state, party)) + runsMs);
    }
  }
  const means = { client: meanOf(served, "client:"), agent: meanOf(served, "agent:") };
  return (request) => {
    let factor = 1;
    for (const party of partiesOf(state, request)) {
      const mean = party.startsWith("client:") ? means.client : means.agent;
      factor *= (mean + toleranceMs) / ((served.get(party) ?? mean) + toleranceMs);
    }
    return Math.min(config.fairnessMost, Math.max(1 / config.fairnessMost, factor));
  };
}

function meanOf(served: ReadonlyMap<string, Milliseconds>, kind: string): Milliseconds {
  let sum = 0;
  let count = 0;
  for (const [party, ms] of served) {
    if (!party.startsWith(kind)) continue;
    sum += ms;
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

function decayed({ served, nowMs }: SchedulerState, party: string): Milliseconds {
  const known = served.get(party);
  return known === undefined ? 0 : known.ms * 0.5 ** ((nowMs - known.atMs) / halfMs);
}
