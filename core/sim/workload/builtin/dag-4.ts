/** One coding agent, two in parallel, one that joins them, as in the paper. */
import type { WorkflowSpec, WorkloadSpec } from "../spec";
import { agents, call, coder } from "./lengths";

export const dag4Agents = agents(["dag-start", "dag-left", "dag-right", "dag-join"], coder.prefixTokens);

export const dag4Workflow: WorkflowSpec = {
  id: "dag-4",
  share: 1,
  stages: [
    call({ id: "start", agent: "dag-start", after: [], ...coder.lengths }),
    call({ id: "left", agent: "dag-left", after: ["start"], ...coder.lengths }),
    call({ id: "right", agent: "dag-right", after: ["start"], ...coder.lengths }),
    call({ id: "join", agent: "dag-join", after: ["left", "right"], ...coder.lengths }),
  ],
};

export const dag4: WorkloadSpec = {
  name: "dag-4",
  agents: dag4Agents,
  workflows: [dag4Workflow],
  arrivals: { kind: "poisson" },
};
