/** The busy moment a short time after the engine's process has ended: everything waits and keeps its place. */
import type { AppStatus } from "../../../core/contract/window";
import type { LiveView } from "../../../core/view/view";
import { busyView } from "./busy-view";
import { row } from "./parts";
import { readyStatus } from "./ready-status";

const requeued = Object.fromEntries(
  Object.entries(busyView.requests).map(([id, one]) => [id, { ...one, phase: "waiting" as const, slot: null }]),
);

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
