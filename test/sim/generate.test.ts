import { describe, expect, it } from "vitest";
import { policyNames } from "../../core/policies/policies";
import { builtinWorkloads } from "../../core/sim/workload/builtin/builtin-workloads";
import { drawArrivals } from "../../core/sim/workload/draw-arrivals";
import { generateWorkload } from "../../core/sim/workload/generate";
import { prefixLengths } from "../../core/sim/workload/prefixes";
import { randomFor } from "../../core/sim/workload/seed";
import type { WorkloadSpec } from "../../core/sim/workload/spec";
import { runTrace, type TraceRun } from "./run-trace";

function builtin(name: string): WorkloadSpec {
  const spec = builtinWorkloads.find((one) => one.name === name);
  if (spec === undefined) throw new Error(`There is no workload ${name}.`);
  return spec;
}

/** Everything about a run that must not depend on the policy. */
function traceOf({ trace, sent }: TraceRun) {
  return trace.tasks.map(({ taskId, arrivedAtMs, calls }) => ({
    taskId,
    arrivedAtMs,
    calls: calls.map((call) => ({ ...call, prompt: sent.get(call.requestId)?.request.promptTokens })),
  }));
}

describe("a seeded trace", () => {
  it.each(["dag-4", "group-chat", "react", "map-reduce"])("of %s is the same for every policy", (name) => {
    const expected = traceOf(runTrace(builtin(name), { policy: "fcfs", tasks: 3 }));
    for (const policy of policyNames) {
      expect(traceOf(runTrace(builtin(name), { policy, tasks: 3 })), policy).toEqual(expected);
    }
  });

  it("differs from that of another seed", () => {
    const lengths = (seed: number) =>
      generateWorkload({ spec: builtin("chain-3"), seed, tasks: 3, meanGapMs: 1 }).lengths;
    expect([...lengths(1)]).not.toEqual([...lengths(2)]);
  });

  it("of more tasks begins with that of fewer", () => {
    const tasksOf = (tasks: number) =>
      generateWorkload({ spec: builtin("bursts"), seed: 7, tasks, meanGapMs: 1000 }).tasks.map(({ taskId, calls }) => [
        taskId,
        calls,
      ]);
    expect(tasksOf(20).slice(0, 8)).toEqual(tasksOf(8));
  });

  it("has the same calls at every rate, only further apart", () => {
    const tasksAt = (meanGapMs: number) =>
      generateWorkload({ spec: builtin("react"), seed: 3, tasks: 6, meanGapMs }).tasks;
    expect(tasksAt(500).map(({ calls }) => calls)).toEqual(tasksAt(1000).map(({ calls }) => calls));
    expect(tasksAt(1000).map(({ arrivedAtMs }) => arrivedAtMs)).toEqual(
      tasksAt(500).map(({ arrivedAtMs }) => 2 * arrivedAtMs),
    );
  });
});

describe.each(builtinWorkloads)("the workload $name", (spec) => {
  const run = runTrace(spec);
  const { trace, sent, endedAtMs } = run;
  const calls = trace.tasks.flatMap((task) => task.calls.map((call) => ({ task, call })));

  it("sends every call once all it waits for are answered, after its pause", () => {
    for (const { task, call } of calls) {
      const readyAtMs = Math.max(task.arrivedAtMs, ...call.after.map((id) => endedAtMs.get(id) ?? Number.NaN));
      expect(sent.get(call.requestId)?.atMs).toBe(readyAtMs + call.gapMs);
    }
    expect(sent.size).toBe(calls.length);
  });

  it("knows when each task was over", () => {
    for (const task of trace.tasks) {
      expect(task.finishedAtMs).toBe(
        Math.max(...task.calls.map(({ requestId }) => endedAtMs.get(requestId) ?? Number.NaN)),
      );
    }
  });

  it("gives every answer its drawn length", () => {
    const drawn = new Map<string, number>();
    for (const event of run.events) {
      if (event.kind !== "batch.stepped" && event.kind !== "batch.finished") continue;
      for (const { requestId } of event.answers) drawn.set(requestId, (drawn.get(requestId) ?? 0) + 1);
    }
    expect(drawn).toEqual(new Map(trace.lengths));
  });

  it("lets requests of one agent share its prefix and agents share nothing", () => {
    const lengths = prefixLengths(spec);
    const first = new Map<number, string>();
    for (const { request } of sent.values()) {
      expect(request.prefixTokens).toBe(lengths.get(request.agent));
      const token = request.promptTokens[0] as number;
      expect(first.get(token) ?? request.agent).toBe(request.agent);
      first.set(token, request.agent);
    }
    expect(new Set(first.values()).size).toBe(first.size);
  });
});

describe("a prompt", () => {
  it("of a conversation goes on where the one before ended, with what was generated", () => {
    const { trace, sent } = runTrace(builtin("react"), { tasks: 2 });
    for (const { calls } of trace.tasks) {
      for (const [index, call] of calls.entries()) {
        const before = calls[index - 1];
        if (before === undefined) continue;
        const prompt = sent.get(call.requestId)?.request.promptTokens ?? [];
        const earlier = sent.get(before.requestId)?.request.promptTokens ?? [];
        const generated = Array.from({ length: before.outputTokens }, (_, at) => 1_000_001 + at);
        expect(prompt.slice(0, earlier.length + generated.length)).toEqual([...earlier, ...generated]);
      }
    }
  });

  it("of a draft is that of its siblings, and of no other task", () => {
    const { sent } = runTrace(builtin("best-of-n"), { tasks: 2 });
    const drafts = [...sent.values()].map(({ request }) => request).filter(({ stageId }) => stageId === "draft");
    const prompts = new Set(drafts.map(({ promptTokens }) => promptTokens.join()));
    expect([drafts.length, prompts.size]).toEqual([10, 2]);
    const tails = drafts.map(({ promptTokens, prefixTokens }) => promptTokens[prefixTokens]);
    expect(new Set(tails).size).toBe(2);
  });

  it("of a reducer is as long as all that it reads", () => {
    const { trace, sent } = runTrace(builtin("map-reduce"), { tasks: 3 });
    for (const { calls } of trace.tasks) {
      const summaries = calls
        .filter(({ stageId }) => stageId === "map")
        .reduce((sum, call) => sum + call.outputTokens, 0);
      const reduce = calls.find(({ stageId }) => stageId === "reduce");
      const request = sent.get(reduce?.requestId ?? "")?.request;
      expect((request?.promptTokens.length ?? 0) - (request?.prefixTokens ?? 0)).toBe(summaries);
    }
  });
});

describe("arrivals", () => {
  const random = () => randomFor("test", 1);

  it("come in bursts of the drawn sizes, with the same mean gap over all tasks", () => {
    const times = drawArrivals({ kind: "bursts", tasks: [5, 9] }, { count: 7000, meanGapMs: 100, random: random() });
    const sizes = new Map<number, number>();
    for (const atMs of times) sizes.set(atMs, (sizes.get(atMs) ?? 0) + 1);
    const whole = [...sizes.values()].slice(0, -1);
    expect([Math.min(...whole), Math.max(...whole)]).toEqual([5, 9]);
    expect((times.at(-1) ?? 0) / times.length).toBeGreaterThan(90);
    expect((times.at(-1) ?? 0) / times.length).toBeLessThan(110);
  });

  it("are all at once without a gap", () => {
    expect(drawArrivals({ kind: "poisson" }, { count: 3, meanGapMs: 0, random: random() })).toEqual([0, 0, 0]);
  });
});

describe("the built-in workloads", () => {
  it("are what they were when the first results were written down", () => {
    const fingerprints = builtinWorkloads.map((spec) => {
      const { tasks } = generateWorkload({ spec, seed: 1, tasks: 20, meanGapMs: 1000 });
      const calls = tasks.flatMap((task) => task.calls);
      return {
        name: spec.name,
        prefixTokens: [...prefixLengths(spec).values()].reduce((sum, tokens) => sum + tokens, 0),
        calls: calls.length,
        outputTokens: calls.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
        lastArrivalMs: Math.round(tasks.at(-1)?.arrivedAtMs ?? 0),
      };
    });
    expect(fingerprints).toMatchInlineSnapshot(`
      [
        {
          "calls": 60,
          "lastArrivalMs": 20349,
          "name": "chain-3",
          "outputTokens": 17816,
          "prefixTokens": 19094,
        },
        {
          "calls": 80,
          "lastArrivalMs": 23703,
          "name": "dag-4",
          "outputTokens": 24313,
          "prefixTokens": 22594,
        },
        {
          "calls": 200,
          "lastArrivalMs": 17168,
          "name": "dag-10-wide",
          "outputTokens": 47230,
          "prefixTokens": 39411,
        },
        {
          "calls": 100,
          "lastArrivalMs": 19051,
          "name": "metagpt-sop",
          "outputTokens": 65262,
          "prefixTokens": 9247,
        },
        {
          "calls": 180,
          "lastArrivalMs": 22810,
          "name": "metagpt-tl",
          "outputTokens": 68262,
          "prefixTokens": 10274,
        },
        {
          "calls": 134,
          "lastArrivalMs": 15232,
          "name": "react",
          "outputTokens": 20741,
          "prefixTokens": 12722,
        },
        {
          "calls": 298,
          "lastArrivalMs": 23614,
          "name": "group-chat",
          "outputTokens": 28846,
          "prefixTokens": 6039,
        },
        {
          "calls": 189,
          "lastArrivalMs": 15653,
          "name": "map-reduce",
          "outputTokens": 36776,
          "prefixTokens": 2036,
        },
        {
          "calls": 120,
          "lastArrivalMs": 13489,
          "name": "best-of-n",
          "outputTokens": 43027,
          "prefixTokens": 3346,
        },
        {
          "calls": 70,
          "lastArrivalMs": 18557,
          "name": "bursts",
          "outputTokens": 20264,
          "prefixTokens": 45570,
        },
      ]
    `);
  });
});
