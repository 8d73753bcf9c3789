/** MetaGPT's standard procedure, as in the paper: five roles in a row. */
import type { WorkloadSpec } from "../spec";
import { agents, call } from "./lengths";
import {
  architect,
  engineer,
  productManager,
  projectManager,
  qualityAssurance,
  type Role,
  rolePrefixTokens,
} from "./metagpt-roles";

const roles: readonly Role[] = [productManager, architect, projectManager, engineer, qualityAssurance];

export const metagptSop: WorkloadSpec = {
  name: "metagpt-sop",
  agents: agents(
    roles.map(({ agent }) => agent),
    rolePrefixTokens,
  ),
  workflows: [
    {
      id: "metagpt-sop",
      share: 1,
      stages: roles.map((role, index) => {
        const before = roles[index - 1];
        return call({ id: role.agent, after: before === undefined ? [] : [before.agent], ...role });
      }),
    },
  ],
  arrivals: { kind: "poisson" },
};
