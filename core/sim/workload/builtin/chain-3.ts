/** Three coding agents in a row, as in the paper. */
import type { WorkflowSpec, WorkloadSpec } from "../spec";
import { agents, call, coder } from "./lengths";

const ids = ["chain-a", "chain-b", "chain-c"];

export const chain3Agents = agents(ids, coder.prefixTokens);

export const chain3Workflow: WorkflowSpec = {
  id: "chain-3",
  share: 1,
  stages: ids.map((agent, index) =>
    call({ id: `stage-${index + 1}`, agent, after: index === 0 ? [] : [`stage-${index}`], ...coder.lengths }),
  ),
};

export const chain3: WorkloadSpec = {
  name: "chain-3",
  agents: chain3Agents,
  workflows: [chain3Workflow],
  arrivals: { kind: "poisson" },
};
