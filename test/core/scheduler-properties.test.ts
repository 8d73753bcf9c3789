/** What holds for every policy over many seeded worlds. A seed that fails is printed by its test's name. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowsSteps } from "../../core/contract/batch-steps";
import type { PolicyName } from "../../core/contract/policy-name";
import { policyNames } from "../../core/policies/policies";
import { seededRandom } from "../../core/sim/random";
import { simulate, type Workload } from "../../core/sim/simulate";
import { defaultConfig, type SchedulerConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import type { TopasEvent } from "../../core/topas/events";
import { evolve } from "../../core/topas/evolve";
import type { Input } from "../../core/topas/inputs";
import { brokenInvariants } from "../../core/topas/invariants";
import { receive } from "../../core/topas/receive";
import { emptyView, foldEvent } from "../../core/view/fold";
import { toViewEvent } from "../../core/view/view-event";
import { randomRequests, slotEngine, smallCrewWorkload } from "../support/workloads";

const slotTokens = 256;

interface World {
  readonly slots: number;
  readonly tokens?: number;
  readonly config?: SchedulerConfig;
}

function run(policy: PolicyName, workload: Workload, { slots, tokens = slotTokens, config = defaultConfig }: World) {
  const state = emptyState(policy);
  const inputs: Input[] = [];
  const events: TopasEvent[] = [];
  simulate({
    state,
    config,
    engine: slotEngine(slots, tokens),
    workload,
    watch(input, caused) {
      inputs.push(input);
      events.push(...caused);
      const broken = brokenInvariants(state);
      if (broken.length > 0) throw new Error(`After ${input.kind} at ${input.atMs} ms: ${broken.join(" ")}`);
    },
  });
  return { state, inputs, events };
}

const worlds = fc.record({
  seed: fc.nat(),
  slots: fc.integer({ min: 1, max: 6 }),
  count: fc.integer({ min: 1, max: 40 }),
});

describe.each(policyNames)("under %s", (policy) => {
  /** Most seeds for the policy that can do most: it alone holds and preempts. */
  const runs = { numRuns: policy === "topas" ? 60 : 20 };
  const costlyRuns = { numRuns: policy === "topas" ? 20 : 8 };

  it("every accepted request ends exactly once and every slot is free in the end", () => {
    fc.assert(
      fc.property(worlds, ({ seed, slots, count }) => {
        const { state, events } = run(policy, randomRequests(count, slotTokens, seededRandom(seed)), { slots });
        const arrived = idsOf(events, ["request.arrived"]);
        const refused = idsOf(events, ["request.refused"]);
        const ended = idsOf(events, ["request.finished", "request.cancelled", "request.failed"]);
        expect([...ended].sort()).toEqual([...arrived].sort());
        expect(arrived.length + refused.length).toBe(count);
        expect(state.requests.size).toBe(0);
        expect(state.slots.every((slot) => slot.requestId === null)).toBe(true);
      }),
      runs,
    );
  });

  it("no batch goes beyond a slot's room, its piece of prompt or one piece of work a slot", () => {
    fc.assert(
      fc.property(worlds, ({ seed, slots, count }) => {
        const { events } = run(policy, randomRequests(count, slotTokens, seededRandom(seed)), { slots });
        for (const event of events) {
          if (event.kind !== "batch.started") continue;
          const { work } = event.batch;
          expect(new Set(work.map((piece) => piece.slot)).size).toBe(work.length);
          for (const piece of work) {
            expect(piece.position + piece.tokens.length - 1 + event.batch.steps).toBeLessThanOrEqual(slotTokens);
          }
          expect(event.batch.steps).toBeLessThanOrEqual(allowsSteps(event.batch) ? defaultConfig.stepsAheadMax : 1);
          const prompt = work.reduce((sum, piece) => sum + (piece.tokens.length > 1 ? piece.tokens.length : 0), 0);
          expect(prompt).toBeLessThanOrEqual(defaultConfig.pieceTokensMax);
        }
      }),
      runs,
    );
  });

  it("the same inputs give the same events again", () => {
    fc.assert(
      fc.property(worlds, ({ seed, slots, count }) => {
        const first = run(policy, randomRequests(count, slotTokens, seededRandom(seed)), { slots });
        const state = emptyState(policy);
        const again = first.inputs.flatMap((input) => receive(state, input, defaultConfig).events);
        expect(again).toEqual(first.events);
      }),
      costlyRuns,
    );
  });

  it("the events alone rebuild the state", () => {
    fc.assert(
      fc.property(worlds, ({ seed, slots, count }) => {
        const { state, events } = run(policy, randomRequests(count, slotTokens, seededRandom(seed)), { slots });
        const rebuilt = emptyState(policy);
        for (const event of events) evolve(rebuilt, structuredClone(event));
        expect({ ...rebuilt, nowMs: 0 }).toEqual({ ...state, nowMs: 0 });
      }),
      costlyRuns,
    );
  });

  it("the window's view agrees with the state about slots and requests", () => {
    fc.assert(
      fc.property(worlds, ({ seed, slots, count }) => {
        const state = emptyState(policy);
        let view = emptyView(policy);
        simulate({
          state,
          config: defaultConfig,
          engine: slotEngine(slots, slotTokens),
          workload: randomRequests(count, slotTokens, seededRandom(seed)),
          watch(_, events) {
            for (const event of events) view = foldEvent(view, toViewEvent(event));
            expect(Object.keys(view.requests).sort()).toEqual([...state.requests.keys()].sort());
            expect(view.slots.map((slot) => [slot.requestId, slot.heldTokens])).toEqual(
              state.slots.map((slot) => [slot.requestId, slot.tokens.length]),
            );
          },
        });
      }),
      costlyRuns,
    );
  });

  /** But for a hold that is looked at again: an admission out of that waits for the step under way. */
  it("steps ahead change nothing but how many batches there are", () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 2, max: 40 }), ({ seed, slots, count }, stepsAheadMax) => {
        const [single, ahead] = [1, stepsAheadMax].map((max) => {
          const config = { ...defaultConfig, stepsAheadMax: max, decideEverySteps: Number.MAX_SAFE_INTEGER };
          return run(policy, randomRequests(count, slotTokens, seededRandom(seed)), { slots, config }).events;
        });
        expect(withoutBatches(ahead ?? [])).toEqual(withoutBatches(single ?? []));
      }),
      costlyRuns,
    );
  });

  it("every request is given its tokens in order, none lost and none twice, whatever comes between its steps", () => {
    fc.assert(
      fc.property(worlds, ({ seed, slots, count }) => {
        const { events } = run(policy, randomRequests(count, slotTokens, seededRandom(seed)), { slots });
        const drawn = new Map<string, number>();
        for (const event of events) {
          if (event.kind !== "batch.stepped" && event.kind !== "batch.finished") continue;
          for (const { requestId, token } of event.answers) {
            const before = drawn.get(requestId) ?? 1_000_000;
            expect(token).toBe(before + 1);
            drawn.set(requestId, token);
          }
        }
      }),
      runs,
    );
  });

  it("a batch is interrupted at most once, only with steps left, and then ends with the step under way", () => {
    let interruptions = 0;
    for (let seed = 1; seed <= 24; seed += 1) {
      const slots = 1 + (seed % 6);
      const { events } = run(policy, randomRequests(40, slotTokens, seededRandom(seed)), { slots });
      let stepsLeft = 0;
      for (const event of events) {
        if (event.kind === "batch.started") stepsLeft = event.batch.steps;
        if (event.kind === "batch.stepped") stepsLeft -= 1;
        if (event.kind === "batch.stepped" || event.kind === "batch.finished") expect(stepsLeft).toBeGreaterThan(0);
        if (event.kind !== "batch.interrupted") continue;
        expect(stepsLeft).toBeGreaterThan(1);
        stepsLeft = 1;
        interruptions += 1;
      }
    }
    expect(interruptions).toBeGreaterThan(0);
  });

  it("both crews end all their tasks", () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const { events } = run(policy, smallCrewWorkload(seededRandom(seed)), { slots: 4, tokens: 2048 });
      expect(events.filter((event) => event.kind === "task.finished")).toHaveLength(6);
    }
  });
});

/** Numbers and batches left out, all else with its time. */
function withoutBatches(events: readonly TopasEvent[]) {
  return events.filter((event) => !event.kind.startsWith("batch.")).map((event) => ({ ...event, number: 0 }));
}

function idsOf(events: readonly TopasEvent[], kinds: readonly TopasEvent["kind"][]): string[] {
  return events
    .filter((event) => kinds.includes(event.kind))
    .map((event) =>
      event.kind === "request.arrived" ? event.request.requestId : "requestId" in event ? event.requestId : "",
    );
}
