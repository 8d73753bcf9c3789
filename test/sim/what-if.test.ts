/** What a recorded run would have been otherwise: the simulator's error and the changes that another policy makes. */
import { describe, expect, it } from "vitest";
import type { PolicyName } from "../../core/contract/policy-name";
import { crewWorkload } from "../../core/sim/crew";
import { fitCosts } from "../../core/sim/profile/fit";
import { StepSamples } from "../../core/sim/profile/step-samples";
import { seededRandom } from "../../core/sim/random";
import { RecordedRun } from "../../core/sim/recorded-run";
import { recordedWorkload } from "../../core/sim/recorded-workload";
import { type Simulation, simulate } from "../../core/sim/simulate";
import { TaskTimes } from "../../core/sim/task-times";
import { whatIf } from "../../core/sim/what-if";
import { builtinWorkloads } from "../../core/sim/workload/builtin/builtin-workloads";
import { generateWorkload } from "../../core/sim/workload/generate";
import type { WorkloadSpec } from "../../core/sim/workload/spec";
import { defaultConfig } from "../../core/topas/config";
import { emptyState } from "../../core/topas/empty-state";
import { request, slotEngine, smallCrews } from "../support/workloads";

function record(policy: PolicyName, rest: Pick<Simulation, "workload"> & Partial<Simulation>) {
  const [run, times, steps] = [new RecordedRun(), new TaskTimes(), new StepSamples()];
  simulate({
    state: emptyState(policy),
    config: defaultConfig,
    engine: slotEngine(3, 16_384),
    ...rest,
    watch(input, events) {
      run.input(input);
      for (const event of events) {
        run.event(event);
        times.take(event);
        steps.take(event);
      }
    },
  });
  return { run, steps, jctMs: times.jctMs() };
}

const workloadNamed = (name: string) => builtinWorkloads.find((spec) => spec.name === name) as WorkloadSpec;

const traceOf = (name: string) => generateWorkload({ spec: workloadNamed(name), seed: 3, tasks: 4, meanGapMs: 20_000 });

/** Sums of gaps are a rounding away from the times they came from. */
const toTheMicrosecond = (jctMs: ReadonlyMap<string, number> | null) =>
  [...(jctMs ?? [])].map(([taskId, ms]) => [taskId, Number(ms.toFixed(3))]);

describe("a recorded run, simulated under its own policy,", () => {
  it.each([
    ["dag-4", "topas"],
    ["map-reduce", "fcfs"],
    ["react", "topas"],
    ["group-chat", "lcp-slot"],
  ] as const)("of %s under %s, takes as long as it was recorded", (name, policy) => {
    const { run, jctMs } = record(policy, { workload: traceOf(name) });
    const simulated = whatIf({ run, config: defaultConfig, policy, keepsPolicyChanges: true });
    expect(jctMs.size).toBe(4);
    expect(toTheMicrosecond(simulated)).toEqual(toTheMicrosecond(jctMs));
  });

  it("keeps what the policy was changed to meanwhile", () => {
    const trace = traceOf("dag-4");
    const change = { origin: "outside", kind: "policy.chosen", atMs: 30_000, policy: "topas" } as const;
    const workload = { ...trace, first: [...trace.first, change] };
    const { run, jctMs } = record("fcfs", { workload });
    const kept = whatIf({ run, config: defaultConfig, policy: "fcfs", keepsPolicyChanges: true });
    expect(toTheMicrosecond(kept)).toEqual(toTheMicrosecond(jctMs));
    expect(recordedWorkload(run, { keepsPolicyChanges: false, announcesCalls: false }).first).not.toContainEqual(
      change,
    );
  });

  it("starts when its engine was ready, and leaves out that the engine was lost", () => {
    const arrivedAtMs = traceOf("dag-4").tasks[0]?.arrivedAtMs ?? 0;
    const outages = [{ lostAtMs: arrivedAtMs + 1000, readyAtMs: arrivedAtMs + 60_000 }];
    const { run, jctMs } = record("fcfs", { workload: traceOf("dag-4"), readyAtMs: 2000, outages });
    expect(run.engine?.atMs).toBe(2000);
    expect(run.engineLosses).toBe(1);
    const simulated = whatIf({ run, config: defaultConfig, policy: "fcfs", keepsPolicyChanges: true });
    const first = [...jctMs.keys()][0] ?? "";
    expect(simulated?.get(first)).toBeLessThan(jctMs.get(first) ?? 0);
  });
});

describe("a recorded run of a machine that was calibrated badly,", () => {
  it("takes as long as it was recorded with costs fitted to it, and not with those of the calibration", () => {
    const { run, steps, jctMs } = record("fcfs", { workload: traceOf("dag-4") });
    if (run.engine === null) throw new Error("The engine was never ready.");
    const calibrated = { ...run.engine.costs, prefillMsPerToken: 1, stepMs: [5, 6, 7] };
    run.engine = { ...run.engine, costs: calibrated };
    const { costs } = fitCosts(steps.samples, calibrated);
    const whole = { run, config: defaultConfig, policy: "fcfs", keepsPolicyChanges: true } as const;
    const sum = (ms: ReadonlyMap<string, number> | null) => [...(ms?.values() ?? [])].reduce((a, b) => a + b, 0);
    expect(sum(whatIf({ ...whole, costs })) / sum(jctMs)).toBeCloseTo(1, 2);
    expect(sum(whatIf(whole)) / sum(jctMs)).toBeLessThan(0.5);
  });
});

describe("a recorded run, simulated under another policy,", () => {
  it("takes as long as the same requests take under that policy", () => {
    const { run } = record("fcfs", { workload: traceOf("dag-10-wide") });
    const other = whatIf({ run, config: defaultConfig, policy: "topas", keepsPolicyChanges: false });
    const real = record("topas", { workload: traceOf("dag-10-wide") });
    expect(toTheMicrosecond(other)).toEqual(toTheMicrosecond(real.jctMs));
  });

  it("sends a request only when the answers that it waited for are there", () => {
    const { run } = record("fcfs", { workload: crewWorkload(smallCrews, seededRandom(4)) });
    const review = run.requests.get("code/1/review");
    expect(review?.after).toEqual(["code/1/code"]);
    const { first, answer } = recordedWorkload(run, { keepsPolicyChanges: false, announcesCalls: false });
    expect(JSON.stringify(first)).not.toContain("code/1/review");
    const ended = { kind: "request.finished", requestId: "code/1/code", reason: "length", number: 1, atMs: 9 } as const;
    expect(answer(ended)).toEqual([
      { origin: "outside", kind: "request.submitted", atMs: 9, request: review?.request },
    ]);
  });

  it("lets a client leave as long after it asked as it did", () => {
    const first = [
      { origin: "outside", kind: "request.submitted", atMs: 100, request: request("r", { maxTokens: 500 }) },
      { origin: "outside", kind: "request.cancelled", atMs: 400, requestId: "r", reason: "The client left." },
    ] as const;
    const { run, jctMs } = record("fcfs", { workload: { first, lengths: new Map(), answer: () => [] } });
    expect(jctMs.get("r")).toBe(300);
    expect(whatIf({ run, config: defaultConfig, policy: "topas", keepsPolicyChanges: false })?.get("r")).toBe(300);
  });

  it("tells an offline policy which agents are called, in the recorded order", () => {
    const { run } = record("fcfs", { workload: crewWorkload(smallCrews, seededRandom(4)) });
    const { first } = recordedWorkload(run, { keepsPolicyChanges: false, announcesCalls: true });
    expect(first[0]).toMatchObject({ kind: "trace.announced", calls: run.calls });
    expect(run.calls).toHaveLength(run.requests.size);
  });

  it("gives the recorded answers again, token by token", () => {
    const tokens = new Map([["r", [7, 8, 9]]]);
    const first = [{ origin: "outside", kind: "request.submitted", atMs: 0, request: request("r") }] as const;
    const workload = { first, lengths: new Map([["r", 3]]), tokens, answer: () => [] };
    const { run } = record("fcfs", { workload });
    expect(recordedWorkload(run, { keepsPolicyChanges: false, announcesCalls: false }).tokens).toEqual(tokens);
  });
});
