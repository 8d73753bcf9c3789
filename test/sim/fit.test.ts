/** A cost model from a recorded run: the machine that was simulated is found again, whatever it was thought to be before. */
import { describe, expect, it } from "vitest";
import type { CostProfile } from "../../core/contract/engine";
import { fitCosts } from "../../core/sim/profile/fit";
import { fitSteps } from "../../core/sim/profile/fit-steps";
import { weightedMedian } from "../../core/sim/profile/median";
import { type StepSample, StepSamples } from "../../core/sim/profile/step-samples";
import { seededRandom } from "../../core/sim/random";
import { simulate } from "../../core/sim/simulate";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { fitJournal } from "../../electron/sim/fit/fit-journal";
import { readProfileFile } from "../../electron/sim/read-profile";
import { smallCrewWorkload } from "../support/workloads";
import { fileWith, journalOf, recordedLines, refusalOf } from "./journal-file";

const machine: CostProfile = {
  prefillMsPerToken: 3.3,
  stepMs: [17, 24, 30, 41],
  copyMs: 9,
  saveMsPerToken: 0.05,
  restoreMsPerToken: 0.08,
  origin: "given",
};

/** What the machine was taken for when it was loaded. */
const wrong: CostProfile = {
  prefillMsPerToken: 1,
  stepMs: [50, 60, 70, 80],
  copyMs: 1,
  saveMsPerToken: 1,
  restoreMsPerToken: 1,
  origin: "given",
};

/** Steps of a crew's tasks; `noise` changes how long each took. */
function recordedSteps(noise: (ms: number) => number = (ms) => ms): readonly StepSample[] {
  const steps = new StepSamples();
  simulate({
    state: emptyState("lcp-slot"),
    config: defaultConfig,
    engine: { slots: 4, slotTokens: 2048, budgetTokens: null, storeTokens: 8000, costs: machine },
    workload: smallCrewWorkload(seededRandom(5)),
    watch: (_, events) => {
      for (const event of events) steps.take(event);
    },
  });
  return steps.samples.map((sample) => ({ ...sample, durationMs: noise(sample.durationMs) }));
}

/** A copy for each of a few slots, as a fork takes it. */
const copies: readonly StepSample[] = [1, 2, 3].map((decoding) => {
  const stepMs = machine.stepMs[decoding - 1] ?? 0;
  const none = { savedTokens: 0, restoredTokens: 0 };
  return { ...none, decoding, promptTokens: 100, copies: 1, durationMs: stepMs + 100 * machine.prefillMsPerToken + 9 };
});

function requireMachine(costs: CostProfile, within: number) {
  const near = (value: number, expected: number) => expect(Math.abs(value / expected - 1)).toBeLessThan(within);
  near(costs.prefillMsPerToken, machine.prefillMsPerToken);
  for (const [index, ms] of machine.stepMs.entries()) near(costs.stepMs[index] ?? 0, ms);
  near(costs.copyMs, machine.copyMs);
  near(costs.saveMsPerToken ?? 0, machine.saveMsPerToken ?? 0);
  near(costs.restoreMsPerToken ?? 0, machine.restoreMsPerToken ?? 0);
}

describe("the cost model of a recorded run", () => {
  it("is that of the machine that was simulated, to 2 %", () => {
    const samples = [...recordedSteps(), ...copies];
    const { costs, kinds } = fitCosts(samples, wrong);
    requireMachine(costs, 0.02);
    expect(kinds.map(({ kind }) => kind)).toEqual(["decode", "prompt", "copy", "warm store"]);
    for (const { medianError } of kinds) expect(medianError).toBeLessThan(0.02);
    expect(kinds.reduce((sum, { steps }) => sum + steps, 0)).toBe(samples.length);
  });

  it("is not moved by steps in which the machine was busy with something else", () => {
    const random = seededRandom(9);
    const samples = recordedSteps(
      (ms) => ms * (random.next() < 0.2 ? random.between(2, 20) : 0.98 + 0.04 * random.next()),
    );
    const { costs } = fitCosts(samples, wrong);
    expect(Math.abs(costs.prefillMsPerToken / machine.prefillMsPerToken - 1)).toBeLessThan(0.02);
    machine.stepMs.forEach((ms, index) => {
      expect(Math.abs((costs.stepMs[index] ?? 0) / ms - 1)).toBeLessThan(0.02);
    });
  });

  it("keeps the calibrated value of what was not seen", () => {
    const decodes = recordedSteps().filter(({ promptTokens, savedTokens, restoredTokens }) => {
      return promptTokens + savedTokens + restoredTokens === 0;
    });
    const { costs, kinds } = fitCosts(decodes, wrong);
    expect({ ...costs, stepMs: [] }).toEqual({ ...wrong, stepMs: [] });
    expect(kinds.map(({ kind }) => kind)).toEqual(["decode"]);
  });
});

describe("the curve of decode steps", () => {
  const decode = (decoding: number, durationMs: number): StepSample => {
    return { decoding, durationMs, promptTokens: 0, copies: 0, savedTokens: 0, restoredTokens: 0 };
  };

  it("has the calibrated shape where no step was seen", () => {
    const known = { ...wrong, stepMs: [10, 20, 30, 40, 50] };
    expect(fitSteps([decode(2, 40), decode(4, 60)], known)).toEqual([20, 40, 52.5, 60, 75]);
    expect(fitSteps([decode(3, 60)], known)).toEqual([20, 40, 60, 80, 100]);
  });

  it("goes as far as was seen or was known", () => {
    expect(fitSteps([decode(6, 900)], wrong)).toHaveLength(6);
    expect(fitSteps([decode(1, 50)], wrong)).toEqual(wrong.stepMs);
  });

  it("never falls, and an outlier of few steps does not lift it", () => {
    const samples = [decode(1, 100), ...Array.from({ length: 99 }, () => decode(2, 20)), decode(3, 30)];
    const steps = fitSteps(samples, { ...wrong, stepMs: [10, 20, 30] });
    expect(steps[0]).toBeCloseTo(20.8);
    expect(steps[1]).toBeCloseTo(20.8);
    expect(steps[2]).toBe(30);
  });
});

describe("a weighted median", () => {
  it.each([
    [[3], 3],
    [[1, 2, 9], 2],
    [[1, 2, 4, 9], 3],
  ])("of %j with even weights is %d", (values, middle) => {
    expect(weightedMedian(values.map((value) => ({ value, weight: 1 })))).toBe(middle);
  });

  it("goes to where the weight is", () => {
    expect(weightedMedian([1, 2, 9].map((value) => ({ value, weight: value })))).toBe(9);
  });
});

describe("a profile fitted to a journal", () => {
  it("is a file that the simulator reads, with the pool of the recorded engine", async () => {
    const { profile } = await fitJournal(journalOf(recordedLines()), false);
    expect(profile.pool).toEqual({ kind: "slots", slots: 2, slotTokens: 128 });
    expect(profile.note).toMatch(/^Fitted from \d+ steps of a recorded run \(\d+ decode, \d+ prompt/);
    const file = fileWith(JSON.stringify(profile));
    expect(readProfileFile(file)).toEqual(profile);
  });

  it("has a shared pool where the recorded engine had one", async () => {
    const { profile } = await fitJournal(journalOf(recordedLines("evictions-in-a-token-pool")), false);
    expect(profile.pool).toEqual({ kind: "tokens", budgetTokens: 170 });
  });

  it("is not made of a journal in which the engine did nothing, nor of a cut one unless that is wanted", async () => {
    const lines = recordedLines();
    const idle = journalOf(lines.slice(0, 3));
    const refusal = await refusalOf(fitJournal(idle, false));
    expect(refusal.message).toBe(
      `${idle}: the engine did nothing in this journal. Record a run in which requests are answered.`,
    );
    const cut = fileWith(lines.join("\n").slice(0, -5));
    expect((await refusalOf(fitJournal(cut, false))).message).toContain("Add --until-cut");
    expect((await fitJournal(cut, true)).profile.stepMs.length).toBeGreaterThan(0);
  });
});
