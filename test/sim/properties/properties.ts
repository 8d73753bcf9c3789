/** What must hold in every small world. Each property throws with what it found where it does not. */

import type { PolicyName } from "../../../core/contract/policy-name";
import { waitBoundMs } from "../../../core/policies/topas/overdue";
import { ActWatch } from "./act-watch";
import { BoundWatch } from "./bound-watch";
import { LifeWatch } from "./life-watch";
import { LoneWatch } from "./lone-watch";
import { ReplayWatch } from "./replay-watch";
import { watchRoom } from "./room-watch";
import { runWorld } from "./run-world";
import { ShadowEngine } from "./shadow-engine";
import { type PoolKind, poolKinds, type SmallWorld, smallWorld } from "./small-world";
import { ViewWatch } from "./view-watch";

export interface Property {
  /** Names it in failed-seeds.json. */
  readonly id: string;
  readonly name: string;
  readonly pools: readonly PoolKind[];
  /** Throws where it does not hold. */
  check(seed: number, pool: PoolKind): void;
}

const slotPools = poolKinds.filter((pool) => pool.startsWith("slots"));

export const properties: readonly Property[] = [
  {
    id: "life",
    name: "no request is lost, served twice or given a token out of order",
    pools: poolKinds,
    check(seed, pool) {
      const world = smallWorld(seed, { pool });
      const life = new LifeWatch();
      const state = runWorld(world, (_state, _input, events) => {
        for (const event of events) life.take(event);
      });
      life.end(state, world);
    },
  },
  {
    id: "room",
    name: "the KV cache and the warm store never hold more than they can",
    pools: poolKinds,
    check(seed, pool) {
      runWorld(smallWorld(seed, { pool }), watchRoom);
    },
  },
  {
    id: "content",
    name: "an engine that does as it is told holds what the plan builds on",
    pools: slotPools,
    check(seed, pool) {
      const engine = new ShadowEngine();
      runWorld(smallWorld(seed, { pool }), (_state, _input, events) => {
        for (const event of events) engine.take(event);
      });
    },
  },
  {
    id: "view",
    name: "the window's view agrees with the state",
    pools: poolKinds,
    check(seed, pool) {
      const world = smallWorld(seed, { pool });
      const view = new ViewWatch(world.policy);
      runWorld(world, (state, _input, events) => view.take(state, events));
    },
  },
  {
    id: "acts",
    name: "nobody is admitted while the queue is paused, and the last copy of a pinned prefix stays while anything runs",
    pools: poolKinds,
    check(seed, pool) {
      const acts = new ActWatch();
      runWorld(smallWorld(seed, { pool }), (state, _input, events) => acts.take(state, events));
    },
  },
  {
    id: "replay",
    name: "the recorded inputs give the same events again",
    pools: poolKinds,
    check(seed, pool) {
      const world = smallWorld(seed, { pool });
      const replay = new ReplayWatch();
      runWorld(world, (_state, input, events) => {
        replay.write({ kind: "input", input });
        for (const event of events) replay.write({ kind: "event", event });
      });
      replay.end(world);
    },
  },
  {
    id: "bound",
    name: "under TOPAS a request that is over the bound goes first and waits for nothing but its room",
    pools: poolKinds,
    check(seed, pool) {
      const world = smallWorld(seed, { pool, policy: "topas" });
      const bound = new BoundWatch(world.config);
      runWorld(world, (state, _input, events) => bound.take(state, events));
    },
  },
  {
    id: "no hints",
    name: "under TOPAS a request without hints ends later than under FCFS by no more than the bound and one run",
    pools: poolKinds,
    check(seed, pool) {
      const config = { waitBoundMs: 500, waitBoundJctShare: 0 };
      const world = smallWorld(seed, { pool, policy: "topas", faults: false, config });
      const [ours, theirs] = [loneEnds(world, "topas"), loneEnds(world, "fcfs")];
      const most = Math.max(ours.boundMs, theirs.boundMs) + Math.max(ours.longestRunMs, theirs.longestRunMs);
      for (const [requestId, endedAtMs] of ours.endedAtMs) {
        const laterMs = endedAtMs - (theirs.endedAtMs.get(requestId) ?? Number.NaN);
        if (!(laterMs <= most)) throw new Error(`${requestId} ended ${laterMs} ms later; ${most} ms are allowed.`);
      }
    },
  },
];

function loneEnds(world: SmallWorld, policy: PolicyName) {
  const lone = new LoneWatch();
  let boundMs = 0;
  runWorld(
    world,
    (state, _input, events) => {
      for (const event of events) lone.take(event);
      boundMs = Math.max(boundMs, waitBoundMs(state, world.config));
    },
    policy,
  );
  return { endedAtMs: lone.endedAtMs, longestRunMs: lone.longestRunMs, boundMs };
}
