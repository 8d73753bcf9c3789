/** MetaGPT with a team leader between the roles, as in the paper: nine stages in a row, five of them the leader's. */
import type { CallStage, WorkloadSpec } from "../spec";
import { agents, call } from "./lengths";
import { architect, engineer, productManager, projectManager, type Role, rolePrefixTokens } from "./metagpt-roles";

const roles: readonly Role[] = [productManager, architect, projectManager, engineer];
/** What the leader has to read grows by this from turn to turn. */
const growthTokens = 500;

const leader = (turn: number, after: readonly string[]): CallStage =>
  call({
    id: `leader-${turn}`,
    agent: "team-leader",
    after,
    tailTokens: [200 + growthTokens * (turn - 1), 500 + growthTokens * (turn - 1)],
    outputTokens: [60, 200],
  });

export const metagptTl: WorkloadSpec = {
  name: "metagpt-tl",
  agents: [
    ...agents(["team-leader"], [2500, 3500]),
    ...agents(
      roles.map(({ agent }) => agent),
      rolePrefixTokens,
    ),
  ],
  workflows: [
    {
      id: "metagpt-tl",
      share: 1,
      stages: [
        leader(1, []),
        ...roles.flatMap((role, index) => [
          call({ id: role.agent, after: [`leader-${index + 1}`], ...role }),
          leader(index + 2, [role.agent]),
        ]),
      ],
    },
  ],
  arrivals: { kind: "poisson" },
};
