/** One agent, eight in parallel, one that joins them, as in the paper: more prefixes than the pool holds at once. */
import type { WorkloadSpec } from "../spec";
import { agents, call } from "./lengths";

const branches = Array.from({ length: 8 }, (_, index) => `branch-${index + 1}`);
const lengths = { tailTokens: [300, 800], outputTokens: [100, 400] } as const;

export const dag10Wide: WorkloadSpec = {
  name: "dag-10-wide",
  agents: agents(["start", ...branches, "join"], [3000, 5000]),
  workflows: [
    {
      id: "dag-10-wide",
      share: 1,
      stages: [
        call({ id: "start", agent: "start", after: [], ...lengths }),
        ...branches.map((branch) => call({ id: branch, agent: branch, after: ["start"], ...lengths })),
        call({ id: "join", agent: "join", after: branches, ...lengths }),
      ],
    },
  ],
  arrivals: { kind: "poisson" },
};
