/** Agents that think, call a tool, read what it gave, and go on: one conversation a task, with pauses for the tools. */
import type { WorkloadSpec } from "../spec";
import { agents } from "./lengths";

const ids = ["react-a", "react-b", "react-c", "react-d"];

export const react: WorkloadSpec = {
  name: "react",
  agents: agents(ids, [2000, 4000]),
  workflows: ids.map((id) => ({
    id,
    share: 1,
    stages: [
      {
        kind: "conversation",
        id: "turn",
        agent: id,
        after: [],
        turns: [4, 9],
        firstTokens: [100, 400],
        outputTokens: [60, 250],
        resultTokens: [100, 800],
        gap: { kind: "lognormal", medianMs: 1500, sigma: 1, mostMs: 20_000 },
      },
    ],
  })),
  arrivals: { kind: "poisson" },
};
