/** Runs a small world to its end and lets a watch look at every input, its events and the state after them. */

import type { PolicyName } from "../../../core/contract/policy-name";
import { simulate } from "../../../core/sim/simulate";
import { emptyState } from "../../../core/topas/empty-state";
import type { TopasEvent } from "../../../core/topas/events";
import type { Input } from "../../../core/topas/inputs";
import type { SchedulerState } from "../../../core/topas/state";
import type { SmallWorld } from "./small-world";

export type Watch = (state: SchedulerState, input: Input, events: readonly TopasEvent[]) => void;

export function runWorld(world: SmallWorld, watch: Watch, policy: PolicyName = world.policy): SchedulerState {
  const state = emptyState(policy);
  const { config, engine, outages } = world;
  simulate({
    state,
    config,
    engine,
    outages,
    workload: world.workload(),
    watch: (input, events) => watch(state, input, events),
  });
  return state;
}
