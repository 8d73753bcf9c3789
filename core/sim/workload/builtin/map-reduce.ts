/** Summarising in two steps: many readers of one kind at once, then one that reads their summaries. */
import type { WorkloadSpec } from "../spec";
import { agents, call } from "./lengths";

export const mapReduce: WorkloadSpec = {
  name: "map-reduce",
  agents: [...agents(["mapper"], [800, 1500]), ...agents(["reducer"], [600, 1200])],
  workflows: [
    {
      id: "map-reduce",
      share: 1,
      stages: [
        call({
          id: "map",
          agent: "mapper",
          after: [],
          calls: [6, 10],
          tailTokens: [1200, 2400],
          outputTokens: [100, 250],
        }),
        call({
          id: "reduce",
          agent: "reducer",
          after: ["map"],
          tailTokens: [0, 0],
          reads: ["map"],
          outputTokens: [300, 600],
        }),
      ],
    },
  ],
  arrivals: { kind: "poisson" },
};
