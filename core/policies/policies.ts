/** All policies by name. The names are what options, the API and the window use. */

import type { PolicyName } from "../contract/policy-name";
import { fcfs } from "./fcfs";
import type { Policy } from "./policy";
import { topas } from "./topas/topas";

export const policies: Readonly<Record<PolicyName, Policy>> = { topas, fcfs } as unknown as Record<PolicyName, Policy>;

/** Needs to be told the future; for the simulator alone. */
export const offlinePolicies: readonly PolicyName[] = ["belady"];

/** What a running server can be told to use. */
export const policyNames = (Object.keys(policies) as readonly PolicyName[]).filter(
  (name) => !offlinePolicies.includes(name),
);
