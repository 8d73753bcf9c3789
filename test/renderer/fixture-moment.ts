/** Made-up moments of the window for tests and pictures: a busy live screen, the start screen, an outage. Nothing here was measured. */
import type { EngineDescription } from "../../core/contract/engine";
import type { AppStatus } from "../../core/contract/window";
import { emptyView } from "../../core/view/fold";
import type { LiveView, QueueRow, RequestView, SlotView, StageView, TaskView } from "../../core/view/view";

export const NOW_MS = 41_600;

export const engine: EngineDescription = {
  modelId: "SmolLM2-135M-Instruct",
  modelPath: "/models/SmolLM2-135M-Instruct.Q4_1.gguf",
  quantization: "Q4_1",
  parameterCount: 134_515_008,
  fileBytes: 98_362_432,
  noiseModel: false,
  slots: 4,
  slotTokens: 2_048,
  trainedContextTokens: 8_192,
  vocabularySize: 49_152,
  kvBytesPerToken: 23_040,
  gpu: { requested: "auto", effective: "cpu", layersOffloaded: 0, layersTotal: 30, deviceNames: [] },
  threads: { prefill: 2, decode: [1, 1, 1, 2] },
  flashAttention: true,
  costs: { prefillMsPerToken: 4.2, stepMs: [16, 18, 21, 25], copyMs: 10, origin: "calibrated" },
  build: "b1",
  processId: 1,
};

function request(label: string, more: Partial<RequestView>): RequestView {
  return {
    requestId: label,
    label,
    agent: label.split("#")[0] ?? label,
    taskId: label,
    stageId: null,
    phase: "waiting",
    arrivedAtMs: NOW_MS,
    admittedAtMs: null,
    firstTokenAtMs: null,
    slot: null,
    source: null,
    promptTokens: 1_000,
    prefixTokens: 768,
    generatedTokens: 0,
    maxTokens: 200,
    tokensToEvaluate: 1_000,
    ...more,
  };
}

function slot(index: number, more: Partial<SlotView>): SlotView {
  return {
    slot: index,
    requestId: null,
    agent: null,
    prefixTokens: 0,
    heldTokens: 0,
    toPrefillTokens: 0,
    forkedFrom: null,
    idleSinceMs: null,
    keptFor: null,
    ...more,
  };
}

function row(requestId: string, more: Partial<QueueRow>): QueueRow {
  return {
    requestId,
    place: 1,
    formerPlace: null,
    score: 0,
    reuse: { kind: "prefill", tokens: 0 },
    sentence: "",
    code: "NO_FREE_SLOT",
    decision: 1_284,
    ...more,
  };
}

function stage(stageId: string, label: string, more: Partial<StageView>): StageView {
  return {
    stageId,
    agent: label.split("#")[0] ?? label,
    after: [],
    phase: "not_ready",
    requestId: label.includes("#") ? label : null,
    label,
    startedAtMs: null,
    finishedAtMs: null,
    onCriticalPath: false,
    ...more,
  };
}

const research3: TaskView = {
  taskId: "research-3",
  workflowId: "research",
  name: "Research crew",
  number: 3,
  startedAtMs: NOW_MS - 8_100,
  finishedAtMs: null,
  stages: [
    stage("plan", "planner#2", { phase: "done", startedAtMs: 33_500, finishedAtMs: 35_900, onCriticalPath: true }),
    stage("look-left", "worker#3", { phase: "running", after: ["plan"], onCriticalPath: true }),
    stage("look-right", "worker#4", { phase: "running", after: ["plan"] }),
    stage("write", "writer", { phase: "next", after: ["look-left", "look-right"], onCriticalPath: true }),
  ],
};

const code4: TaskView = {
  taskId: "code-4",
  workflowId: "code",
  name: "Code crew",
  number: 4,
  startedAtMs: NOW_MS - 4_200,
  finishedAtMs: null,
  stages: [
    stage("design", "architect#2", { phase: "done", startedAtMs: 37_500, finishedAtMs: 39_700, onCriticalPath: true }),
    stage("code", "coder#2", { phase: "waiting", after: ["design"], onCriticalPath: true }),
    stage("review", "reviewer", { phase: "not_ready", after: ["code"], onCriticalPath: true }),
  ],
};

function started(
  name: string,
  number: number,
  workflowId: string,
  label: string,
  rest: readonly StageView[],
): TaskView {
  const first = stage("first", label, { phase: "waiting", onCriticalPath: true });
  const stages = [first, ...rest];
  return {
    taskId: `${workflowId}-${number}`,
    workflowId,
    name,
    number,
    startedAtMs: NOW_MS - 700,
    finishedAtMs: null,
    stages,
  };
}

function lone(label: string, phase: StageView["phase"]): TaskView {
  const stages = [stage(label, label, { phase, onCriticalPath: true })];
  return {
    taskId: label,
    workflowId: null,
    name: "No workflow",
    number: 1,
    startedAtMs: 40_000,
    finishedAtMs: null,
    stages,
  };
}

function ended(name: string, number: number, workflowId: string, agent: string, tookMs: number): TaskView {
  const stages = [stage("first", agent, { phase: "done" })];
  const finishedAtMs = NOW_MS - 2_000;
  return {
    taskId: `${workflowId}-${number}`,
    workflowId,
    name,
    number,
    startedAtMs: finishedAtMs - tookMs,
    finishedAtMs,
    stages,
  };
}

const RATES = [88, 92, 90, 97, 104, 101, 96, 74, 52, 58, 81, 95, 101, 99, 108, 113, 109, 94, 101, 107, 111, 108, 112];

export const busyView: LiveView = {
  ...emptyView("topas"),
  eventNumber: 5_000,
  atMs: NOW_MS,
  engine: { phase: "ready", lostReason: null, slots: 4, slotTokens: 2_048 },
  agents: ["planner", "worker", "writer", "architect", "coder", "reviewer", "tester", "chat"],
  requests: {
    "chat#9": request("chat#9", {
      phase: "prefill",
      slot: 0,
      promptTokens: 1_024,
      prefixTokens: 256,
      tokensToEvaluate: 128,
      arrivedAtMs: 38_000,
    }),
    "worker#3": request("worker#3", {
      phase: "decode",
      slot: 1,
      taskId: "research-3",
      stageId: "look-left",
      promptTokens: 1_074,
      generatedTokens: 142,
      tokensToEvaluate: 1,
    }),
    "worker#4": request("worker#4", {
      phase: "decode",
      slot: 2,
      taskId: "research-3",
      stageId: "look-right",
      promptTokens: 958,
      generatedTokens: 145,
      maxTokens: 165,
      tokensToEvaluate: 1,
    }),
    "coder#2": request("coder#2", {
      taskId: "code-4",
      stageId: "code",
      promptTokens: 1_210,
      arrivedAtMs: NOW_MS - 1_900,
    }),
    "planner#3": request("planner#3", {
      taskId: "research-5",
      stageId: "first",
      promptTokens: 655,
      arrivedAtMs: NOW_MS - 700,
    }),
    "architect#3": request("architect#3", {
      taskId: "code-6",
      stageId: "first",
      promptTokens: 850,
      arrivedAtMs: NOW_MS - 500,
    }),
    "tester#2": request("tester#2", { promptTokens: 402, arrivedAtMs: NOW_MS - 1_100 }),
  },
  slots: [
    slot(0, { requestId: "chat#9", agent: "chat", prefixTokens: 256, heldTokens: 896, toPrefillTokens: 128 }),
    slot(1, { requestId: "worker#3", agent: "worker", prefixTokens: 768, heldTokens: 1_216 }),
    slot(2, { requestId: "worker#4", agent: "worker", prefixTokens: 768, heldTokens: 1_103, forkedFrom: 1 }),
    slot(3, {
      agent: "writer",
      prefixTokens: 832,
      heldTokens: 960,
      idleSinceMs: NOW_MS - 400,
      keptFor: "Research crew 3",
    }),
  ],
  queue: [
    row("coder#2", {
      place: 1,
      score: 1.674,
      reuse: { kind: "prefill", tokens: 0 },
      code: "HELD_FOR_PREFIX",
      sentence: "Waits because slot 3 stays warm for writer, which Research crew 3 needs next.",
    }),
    row("planner#3", {
      place: 2,
      score: 0.979,
      reuse: { kind: "fork", tokens: 512, from: 1 },
      sentence: "Waits for a slot: coder#2 goes first because Code crew 4 ends sooner by it.",
    }),
    row("architect#3", {
      place: 3,
      score: 0.953,
      reuse: { kind: "in_place", tokens: 704 },
      sentence: "Waits for a slot: planner#3 goes first because Research crew 5 ends sooner by it.",
    }),
    row("tester#2", {
      place: 4,
      score: 0.282,
      reuse: { kind: "fork", tokens: 320, from: 0 },
      sentence: "Waits for a slot: architect#3 goes first because it shortens the work left more.",
    }),
  ],
  tasks: [
    research3,
    code4,
    started("Research crew", 5, "research", "planner#3", [
      stage("look-left", "worker", { after: ["first"], onCriticalPath: true }),
      stage("look-right", "worker", { after: ["first"] }),
      stage("write", "writer", { after: ["look-left", "look-right"], onCriticalPath: true }),
    ]),
    started("Code crew", 6, "code", "architect#3", [
      stage("code", "coder", { after: ["first"], onCriticalPath: true }),
      stage("review", "reviewer", { after: ["code"], onCriticalPath: true }),
    ]),
    lone("tester#2", "waiting"),
    lone("chat#9", "running"),
    ended("Research crew", 1, "research", "planner", 12_300),
    ended("Code crew", 2, "code", "architect", 10_100),
  ],
  tokensPerSecond: [...new Array<number>(36).fill(0), ...RATES, 40],
  tokensPerSecondAt: 41,
  recentTtftMs: [310, 460, 1_900],
  recentJctMs: [12_300, 10_100],
  totals: {
    promptTokens: 18_000,
    computedTokens: 3_960,
    reusedTokens: 9_000,
    forkedTokens: 5_040,
    generatedTokens: 3_000,
    decisions: 1_284,
    finishedRequests: 19,
    failedRequests: 0,
    cancelledRequests: 0,
  },
};

export const readyStatus: AppStatus = {
  version: "0.1.0",
  platform: "linux",
  url: "http://127.0.0.1:8642/v1",
  serverProblem: null,
  model: { phase: "ready", engine },
  outage: null,
  demo: { phase: "idle" },
  nowMs: NOW_MS,
};

export const idleView: LiveView = {
  ...emptyView("topas"),
  engine: { phase: "ready", lostReason: null, slots: 4, slotTokens: 2_048 },
  slots: [0, 1, 2, 3].map((index) => slot(index, {})),
};

const requeued = Object.fromEntries(
  Object.entries(busyView.requests).map(([id, one]) => [id, { ...one, phase: "waiting" as const, slot: null }]),
);

/** The same moment, a short time after the engine's process has ended. */
export const outageView: LiveView = {
  ...busyView,
  engine: { ...busyView.engine, phase: "down", lostReason: "signal SIGABRT" },
  requests: requeued,
  queue: ["worker#3", "worker#4", "chat#9", "coder#2", "planner#3", "architect#3", "tester#2"].map((id, index) =>
    row(id, {
      place: index + 1,
      score: 2 - index / 5,
      code: "ENGINE_RESTARTING",
      sentence: `Waits for the engine, keeps place ${index + 1} and its age.`,
    }),
  ),
  tasks: busyView.tasks.map((task) => ({
    ...task,
    stages: task.stages.map((one) => {
      if (one.phase === "running") return { ...one, phase: "waiting" as const };
      return one.phase === "next" ? { ...one, phase: "not_ready" as const } : one;
    }),
  })),
};

export const outageStatus: AppStatus = {
  ...readyStatus,
  outage: {
    reason: "The engine's process ended with signal SIGABRT.",
    attempt: 1,
    attemptsMax: 5,
    phase: "loading",
    fraction: 0.62,
    runningRequests: 3,
    waitingRequests: 4,
  },
};
