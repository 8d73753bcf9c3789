/** What holds for the inspection of every decision of random journals, whatever the pool, the policy and the faults. */
import { describe, expect, it } from "vitest";
import { ask, winnerOf } from "../../core/inspect/ask";
import { inspect } from "../../core/inspect/inspect";
import type { Inspection } from "../../core/inspect/inspection";
import { copyState } from "../../core/topas/copy-state";
import { poolKinds, smallWorld } from "../sim/properties/small-world";
import { type InspectedWorld, runInspected } from "./worlds";

const seeds = Array.from({ length: 8 }, (_, at) => at + 1);

/** Of every decision, unless a test says less. */
function inspected(world: InspectedWorld, config: Parameters<typeof inspect>[1], every = 1): Inspection[] {
  return world.decisions
    .filter((_, at) => at % every === 0)
    .map(({ number }) => {
      const moment = world.log.before(number);
      if (moment === null) throw new Error(`Decision ${number} is not kept.`);
      return inspect(moment, config, world.records);
    });
}

describe.each(poolKinds)("in a pool of %s", (pool) => {
  it("the state before a decision is the one in which it was made, and makes it again", () => {
    for (const seed of seeds.slice(0, 6)) {
      const world = smallWorld(seed, { pool });
      const run = runInspected(world, {
        keepsStates: true,
        limits: { inputsOfStretch: 16, inputsMax: 1e6, tokensMax: 1e9 },
      });
      expect(run.decisions.length).toBeGreaterThan(0);
      for (const decision of run.decisions) {
        const moment = run.log.before(decision.number);
        expect(moment?.decision).toEqual(decision);
        const truth = run.states.get(decision.number);
        expect({ ...moment?.state, nowMs: 0 }).toEqual({ ...truth, nowMs: 0 });
        if (moment !== null) expect(ask(moment.state, world.config).verdict).toBe(decision.verdict);
      }
    }
  });

  it("terms add up to scores, differences to margins, and the winner stands first", () => {
    let seen = 0;
    for (const seed of seeds) {
      const world = smallWorld(seed, { pool });
      for (const one of inspected(runInspected(world), world.config)) {
        for (const { termsMs, scoreMs } of one.candidates) {
          expect(sum(Object.values(termsMs))).toBeCloseTo(scoreMs, 6);
          if (one.unitMs === 1) expect(sum(Object.values(termsMs))).toBe(scoreMs);
          expect(Object.values(termsMs).some((ms) => Object.is(ms, -0))).toBe(false);
        }
        const [winner, runnerUp] = one.candidates;
        expect(winner?.place).toBe(1);
        if (one.decided.kind === "term") {
          expect(sum(one.decided.differences.map(({ ms }) => ms))).toBeCloseTo(one.marginMs ?? Number.NaN, 6);
          expect(one.marginMs).toBeCloseTo((winner?.scoreMs ?? 0) - (runnerUp?.scoreMs ?? 0), 6);
        }
        seen += 1;
      }
    }
    expect(seen).toBeGreaterThan(20);
  });

  it("every score is the decision's own, rounded", () => {
    for (const seed of seeds.slice(0, 6)) {
      const world = smallWorld(seed, { pool });
      const run = runInspected(world);
      for (const one of inspected(run, world.config)) {
        const decision = run.decisions.find(({ number }) => number === one.decision);
        const scores = decision?.candidates.map(({ score }) => score * 1000) ?? [];
        one.candidates.forEach(({ scoreMs }, at) => {
          expect(Math.abs(scoreMs - (scores[at] ?? Number.NaN))).toBeLessThanOrEqual(one.unitMs / 2 + 1e-6);
        });
      }
    }
  });
});

it("other policies' choices are what they choose in that state", () => {
  for (const seed of seeds.slice(0, 6)) {
    const world = smallWorld(seed, { pool: "slots" });
    const run = runInspected(world);
    for (const one of inspected(run, world.config)) {
      expect(one.others.map(({ policy }) => policy)).not.toContain(one.policy);
      const state = run.log.before(one.decision)?.state;
      for (const { policy, requestId } of one.others) {
        if (state === undefined) throw new Error("It was kept a moment ago.");
        const { action } = winnerOf(ask({ ...copyState(state), policy }, world.config));
        expect(action.kind === "hold" ? null : action.requestId).toBe(requestId);
      }
    }
  }
});

it("questions leave the state as it was", () => {
  for (const seed of seeds.slice(0, 6)) {
    const world = smallWorld(seed, { pool: "tokens with a warm store" });
    const run = runInspected(world);
    const moment = run.log.before(1);
    if (moment === null) continue;
    const before = structuredClone(moment.state);
    inspect(moment, world.config, run.records);
    expect(moment.state).toEqual(before);
  }
});

it("forgets whole stretches from the front, within its limits, and says what it still has", () => {
  const world = smallWorld(3, { pool: "slots" });
  const run = runInspected(world, { limits: { inputsOfStretch: 8, inputsMax: 64, tokensMax: 1e9 } });
  const { kept } = run.log;
  if (kept === null) throw new Error("Nothing is kept.");
  expect(kept.first).toBeGreaterThan(1);
  expect(kept.last).toBe(run.decisions.length);
  expect(run.log.before(kept.first - 1)).toBeNull();
  expect(run.log.before(kept.first)?.decision).toEqual(run.decisions[kept.first - 1]);
  expect(run.log.before(kept.last)?.decision).toEqual(run.decisions.at(-1));
  expect(run.log.before(kept.last + 1)).toBeNull();
});

it("keeps within its tokens too: the more it may keep, the further back it reaches", () => {
  const world = smallWorld(3, { pool: "slots" });
  const firstKept = [500, 2_000, 8_000, 1e9].map((tokensMax) => {
    const { log } = runInspected(world, { limits: { inputsOfStretch: 4, inputsMax: 1e6, tokensMax } });
    return log.kept?.first ?? log.decisions + 1;
  });
  expect(firstKept).toEqual([...firstKept].sort((a, b) => b - a));
  expect(firstKept[0]).toBeGreaterThan(firstKept[2] ?? 0);
  expect(firstKept.at(-1)).toBe(1);
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
