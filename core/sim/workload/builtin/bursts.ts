/** Chains and diamonds of seven coding agents, five to nine tasks at a time. */
import type { WorkloadSpec } from "../spec";
import { chain3Agents, chain3Workflow } from "./chain-3";
import { dag4Agents, dag4Workflow } from "./dag-4";

export const bursts: WorkloadSpec = {
  name: "bursts",
  agents: [...chain3Agents, ...dag4Agents],
  workflows: [chain3Workflow, dag4Workflow],
  arrivals: { kind: "bursts", tasks: [5, 9] },
};
