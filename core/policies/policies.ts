/** All policies by name. The names are what options, the API and the window use. */

import type { PolicyName } from "../contract/policy-name";
import { fcfs } from "./fcfs";
import type { Policy } from "./policy";
import { topas } from "./topas";

export const policies: Readonly<Record<PolicyName, Policy>> = { topas, fcfs };

export const policyNames = Object.keys(policies) as readonly PolicyName[];
