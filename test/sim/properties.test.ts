/**
 * What holds under every policy in every small world: `TOPAS_SEEDS` of them for each property and pool. A seed that breaks a
 * property is named by the failure and kept in failed-seeds.json, whose seeds run first.
 */
import { describe, expect, it } from "vitest";
import { failedSeeds, keepSeed } from "./properties/failed-seeds";
import { properties } from "./properties/properties";
import { runWorld } from "./properties/run-world";
import { type PoolKind, poolKinds, smallWorld } from "./properties/small-world";

const seeds = Number(process.env.TOPAS_SEEDS ?? 250);

describe.each(poolKinds)("in a pool of %s", (pool) => {
  for (const { id, name, check } of properties.filter(({ pools }) => pools.includes(pool))) {
    it(name, () => {
      const kept = failedSeeds().filter((failed) => failed.property === id && failed.pool === pool);
      const fresh = Array.from({ length: seeds }, (_, index) => index + 1);
      for (const seed of new Set([...kept.map((failed) => failed.seed), ...fresh])) {
        try {
          check(seed, pool);
        } catch (cause) {
          keepSeed({ property: id, pool, seed });
          const message = cause instanceof Error ? cause.message : String(cause);
          throw new Error(`Seed ${seed}, kept in test/sim/failed-seeds.json: ${message}`, { cause });
        }
      }
      expect(fresh.length, "TOPAS_SEEDS must be a number of 1 or more").toBeGreaterThan(0);
    });
  }
});

describe("the small worlds", () => {
  it("have everything in them that can happen", () => {
    const seen = new Map<string, number>();
    const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    const worldsOf = (pool: PoolKind) => Array.from({ length: 100 }, (_, index) => smallWorld(index + 1, { pool }));
    for (const world of poolKinds.flatMap(worldsOf)) {
      count(world.policy);
      runWorld(world, (_state, _input, events) => {
        for (const event of events) {
          count(event.kind);
          if (event.kind !== "request.admitted") continue;
          count(event.source.kind);
          if (event.evicts.length > 0) count("eviction");
        }
      });
    }
    for (const what of [
      ...["request.refused", "request.cancelled", "request.preempted", "request.requeued", "batch.interrupted"],
      ...["queue.paused", "queue.resumed", "request.moved_up", "prefix.pinned", "prefix.unpinned", "act.refused"],
      ...["in_place", "fork", "restore", "prefill", "eviction", "topas", "fcfs", "belady"],
    ]) {
      expect(seen.get(what) ?? 0, what).toBeGreaterThan(5);
    }
  });

  it("are the same for the same seed", () => {
    const options = { pool: "tokens with a warm store" } as const;
    expect(smallWorld(7, options).calls).toEqual(smallWorld(7, options).calls);
    expect(smallWorld(8, options).calls).not.toEqual(smallWorld(7, options).calls);
  });
});
