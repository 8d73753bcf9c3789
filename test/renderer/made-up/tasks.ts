/** The tasks of the made-up busy moment: two crews in flight, two just started, two lone requests, two that have ended. */
import type { StageView, TaskView } from "../../../core/view/view";
import { NOW_MS, stage } from "./parts";

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

export const tasks: readonly TaskView[] = [
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
];
