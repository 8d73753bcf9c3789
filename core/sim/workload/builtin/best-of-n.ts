/** Five drafts of the same prompt, then a judge that reads them all. */
import type { WorkloadSpec } from "../spec";
import { agents, call } from "./lengths";

export const bestOfN: WorkloadSpec = {
  name: "best-of-n",
  agents: [...agents(["drafter"], [1500, 3000]), ...agents(["judge"], [1000, 2000])],
  workflows: [
    {
      id: "best-of-n",
      share: 1,
      stages: [
        call({
          id: "draft",
          agent: "drafter",
          after: [],
          calls: [5, 5],
          sameTail: true,
          tailTokens: [300, 900],
          outputTokens: [200, 600],
        }),
        call({
          id: "judge",
          agent: "judge",
          after: ["draft"],
          tailTokens: [0, 0],
          reads: ["draft"],
          outputTokens: [80, 200],
        }),
      ],
    },
  ],
  arrivals: { kind: "poisson" },
};
