/** The window at work: two crews of seven agents on four slots and, between them, people who chat and a tester without a workflow. */
import { crewWorkload } from "../../../core/sim/crew";
import { seededRandom } from "../../../core/sim/random";
import type { Workload } from "../../../core/sim/simulate";
import type { OutsideInput } from "../../../core/topas/inputs";
import type { Stage, Workflow } from "../../../core/topas/workflow";
import type { LiveView } from "../../../core/view/view";
import { request } from "../../support/workloads";
import { runInSimulator, type SimulatedRun, upTo } from "./simulated-run";

const stage = (id: string, agent: string, after: readonly string[] = []): Stage => {
  return { id, agent, after, expectedCalls: 1, expectedOutputTokens: null };
};

const workflows: readonly Workflow[] = [
  {
    workflowId: "research",
    name: "Research crew",
    stages: [
      stage("plan", "planner"),
      stage("look-left", "worker", ["plan"]),
      stage("look-right", "worker", ["plan"]),
      stage("write", "writer", ["look-left", "look-right"]),
    ],
  },
  {
    workflowId: "code",
    name: "Code crew",
    stages: [stage("design", "architect"), stage("code", "coder", ["design"]), stage("review", "reviewer", ["code"])],
  },
];

const crews = (seed: number, meanGapMs: number): Workload =>
  crewWorkload(
    {
      workflows,
      tasksOfEach: 5,
      meanGapMs,
      prefixTokens: { low: 480, high: 900 },
      tailTokens: { low: 60, high: 260 },
      outputTokens: { low: 40, high: 120 },
      maxTokens: 160,
    },
    seededRandom(seed),
  );

/** One request of that agent at each of these times, behind a prefix of its own. */
function lone(agent: string, kind: number, timesMs: readonly number[]): OutsideInput[] {
  const prefix = Array.from({ length: 320 }, (_, at) => kind * 1_000 + at);
  return timesMs.map((atMs, index) => ({
    origin: "outside",
    kind: "request.submitted",
    atMs,
    request: request(`${agent}/${index}`, {
      agent,
      promptTokens: [...prefix, ...Array.from({ length: 180 }, (_, at) => kind * 1_000 + 400 + index * 7 + at)],
      prefixTokens: prefix.length,
      maxTokens: 120,
    }),
  }));
}

export function busyWorkload(seed = 16, meanGapMs = 13_000): Workload {
  const workload = crews(seed, meanGapMs);
  const alone = [
    ...lone("tester", 901, [4_000, 38_000, 56_000, 77_000, 84_000]),
    ...lone("chat", 902, [9_000, 44_000, 61_000, 80_000]),
  ];
  const lengths = new Map([...workload.lengths, ...alone.map((input) => [idOf(input), 90] as const)]);
  return { ...workload, first: [...workload.first, ...alone], lengths };
}

function idOf(input: OutsideInput): string {
  return input.kind === "request.submitted" ? input.request.requestId : "";
}

/** Something of everything: a slot kept on purpose, a fork that runs, prefill and decode, four that wait, two crews in flight. */
export function variety({ slots, requests, queue, tasks, atMs }: LiveView): number {
  const running = Object.values(requests).filter(({ slot }) => slot !== null);
  const crewsInFlight = tasks.filter(({ workflowId, finishedAtMs, stages }) => {
    return workflowId !== null && finishedAtMs === null && stages.some(({ phase }) => phase === "done");
  });
  const has = (holds: boolean, points: number) => (holds ? points : 0);
  return (
    has(atMs > 12_000, 20) +
    has(
      slots.some(({ keptFor }) => keptFor !== null),
      12,
    ) +
    has(
      slots.some(({ forkedFrom, requestId }) => forkedFrom !== null && requestId !== null),
      6,
    ) +
    has(
      running.some(({ phase }) => phase === "prefill"),
      4,
    ) +
    has(running.filter(({ phase }) => phase === "decode").length >= 2, 4) +
    Math.min(4, queue.length) * 2 +
    Math.min(2, crewsInFlight.length) * 5 -
    3 * Math.max(0, queue.length - 5)
  );
}

/** The same, until the engine's process ends and nothing has come back yet. */
export function lostMoment(lostAtMs: number): ReturnType<typeof upTo> & { readonly run: SimulatedRun } {
  const outages = [{ lostAtMs, readyAtMs: lostAtMs + 6_000 }];
  const run = runInSimulator({ workload: busyWorkload(), outages });
  return { run, ...upTo(run, ({ engine, atMs }) => (engine.phase === "down" && atMs >= lostAtMs ? atMs : -1)) };
}

export const busyRun = runInSimulator({ workload: busyWorkload() });
export const busyMoment = upTo(busyRun, variety);
