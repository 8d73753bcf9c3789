/** Runs that a window must survive: far too much at once, names of any script and length, wide, long and looping tasks. */
import type { Workload } from "../../../core/sim/simulate";
import type { OutsideInput } from "../../../core/topas/inputs";
import type { Stage, Workflow } from "../../../core/topas/workflow";
import { request } from "../../support/workloads";
import { runInSimulator, upTo } from "./simulated-run";

interface Asked {
  readonly requestId: string;
  readonly agent: string;
  readonly taskId?: string;
  readonly workflowId?: string;
  readonly stageId?: string;
  readonly atMs?: number;
  readonly tokens?: number;
}

const kinds = new Map<string, number>();

/** Each agent has a prefix of its own that nobody shares. */
function submitted({ agent, atMs = 10, tokens = 90, ...more }: Asked): OutsideInput {
  if (!kinds.has(agent)) kinds.set(agent, kinds.size + 1);
  const kind = (kinds.get(agent) ?? 0) * 1_000;
  const tail = Array.from({ length: 20 }, (_, at) => kind + 500 + ((atMs + at) % 400));
  const promptTokens = [...Array.from({ length: tokens }, (_, at) => kind + at), ...tail];
  const taskId = more.taskId ?? more.requestId;
  const spec = request(more.requestId, { agent, ...more, taskId, promptTokens, prefixTokens: tokens, maxTokens: 160 });
  return { origin: "outside", kind: "request.submitted", atMs, request: spec };
}

function declared(workflowId: string, name: string, stages: readonly Stage[]): OutsideInput {
  const workflow: Workflow = { workflowId, name, stages };
  return { origin: "outside", kind: "workflow.declared", atMs: 0, workflow };
}

const stage = (id: string, agent: string, after: readonly string[] = []): Stage => {
  return { id, agent, after, expectedCalls: 1, expectedOutputTokens: null };
};

function workload(first: readonly OutsideInput[], outputTokens = 60): Workload {
  const ids = first.flatMap((input) => (input.kind === "request.submitted" ? [input.request.requestId] : []));
  return { first, lengths: new Map(ids.map((id) => [id, outputTokens])), answer: () => [] };
}

/** 30 agents, 8 slots, 146 requests without a workflow at nearly the same moment. */
const crowd = runInSimulator({
  workload: workload(
    Array.from({ length: 146 }, (_, at) =>
      submitted({ requestId: `r${at}`, agent: `agent-${String((at % 30) + 1).padStart(2, "0")}`, atMs: 10 + at }),
    ),
  ),
  slots: 8,
});
export const crowdRun = crowd;
export const crowdMoment = upTo(crowd, ({ queue, slots, atMs }) => {
  const running = slots.filter(({ requestId }) => requestId !== null).length;
  const later = slots.filter(({ agent }) => Number(agent?.slice(-2)) > 8).length;
  return queue.length >= 110 && queue.length <= 138 && running === 8 ? later * 1_000 + atMs / 1_000 : -1;
});

const LONG = "the-agent-that-reads-every-paper-of-a-field-and-sums-them-up";
export const NAMES: readonly string[] = [
  LONG,
  "محلل البيانات الرئيسي",
  "כותב הדוחות של הצוות",
  "👩‍💻🔎 researcher",
  "📝",
  "研究員の助手",
  "a",
  "Ünïcödé-Ärchitekt",
  '<b>markup</b> & "quotes"',
  "line separator\u2028in a name",
];

const named = runInSimulator({
  workload: workload([
    declared("names", `A workflow whose own name is long enough to be cut: ${LONG}`, [
      stage("first", NAMES[0] ?? ""),
      stage("تحليل", NAMES[1] ?? "", ["first"]),
      stage("כתיבה", NAMES[2] ?? "", ["first"]),
      stage("🚀 launch", NAMES[3] ?? "", ["תחילה", "تحليل", "כתיבה"]),
    ]),
    submitted({ requestId: "n0", agent: NAMES[0] ?? "", taskId: "n", workflowId: "names", stageId: "first" }),
    submitted({ requestId: "n1", agent: NAMES[1] ?? "", taskId: "n", workflowId: "names", stageId: "تحليل", atMs: 20 }),
    submitted({ requestId: "n2", agent: NAMES[2] ?? "", taskId: "n", workflowId: "names", stageId: "כתיבה", atMs: 30 }),
    ...NAMES.flatMap((agent, at) => [
      submitted({ requestId: `l${at}`, agent, atMs: 40 + at }),
      submitted({ requestId: `m${at}`, agent, atMs: 60 + at }),
    ]),
  ]),
});
export const namedRun = named;
export const namedMoment = upTo(named, ({ slots, queue, atMs, requests }) => {
  const running = slots.filter(({ requestId }) => requestId !== null).length;
  const decodes = Object.values(requests).filter(({ phase }) => phase === "decode").length;
  return running === 4 && queue.length >= 8 ? decodes * 100 - atMs / 1_000 : -1;
});

const workers = Array.from({ length: 12 }, (_, at) => `part-${at + 1}`);
const chain = Array.from({ length: 100 }, (_, at) => `step-${at + 1}`);

/** 12 workers side by side; a task of 100 stages one after the other; an agent that is called again and again by one stage. */
const shapes = runInSimulator({
  workload: workload([
    declared("wide", "Twelve at once", [
      stage("split", "planner"),
      ...workers.map((id) => stage(id, "worker", ["split"])),
      stage("join", "writer", workers),
    ]),
    declared(
      "long",
      "A hundred stages",
      chain.map((id, at) => stage(id, `agent-${(at % 5) + 1}`, at === 0 ? [] : [`step-${at}`])),
    ),
    declared("loop", "Loop until it passes", [stage("code", "coder"), stage("test", "tester", ["code"])]),
    submitted({ requestId: "w0", agent: "planner", taskId: "w", workflowId: "wide", stageId: "split" }),
    ...workers.map((id, at) =>
      submitted({
        requestId: `w-${id}`,
        agent: "worker",
        taskId: "w",
        workflowId: "wide",
        stageId: id,
        atMs: 4_000 + at,
      }),
    ),
    submitted({ requestId: "c0", agent: "agent-1", taskId: "c", workflowId: "long", stageId: "step-1", atMs: 20 }),
    submitted({ requestId: "c1", agent: "agent-2", taskId: "c", workflowId: "long", stageId: "step-2", atMs: 4_500 }),
    ...[1, 2, 3, 4].flatMap((turn) => [
      submitted({
        requestId: `p${turn}`,
        agent: "coder",
        taskId: "p",
        workflowId: "loop",
        stageId: "code",
        atMs: turn * 1_500,
      }),
      submitted({
        requestId: `q${turn}`,
        agent: "tester",
        taskId: "p",
        workflowId: "loop",
        stageId: "test",
        atMs: turn * 1_500 + 700,
      }),
    ]),
  ]),
});
export const shapesRun = shapes;
export const shapesMoment = upTo(shapes, ({ atMs, queue, slots }) => {
  const running = slots.filter(({ requestId }) => requestId !== null).length;
  return atMs > 5_200 && running === 4 ? queue.length - atMs / 1_000 : -1;
});
