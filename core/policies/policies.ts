/** All policies by name. The names are what options, the API and the window use. */
import type { PolicyName } from "../contract/policy-name";
import { atlas } from "./atlas";
import { belady } from "./belady";
import { continuum } from "./continuum";
import { fcfs } from "./fcfs";
import { hrrn } from "./hrrn";
import { kairos } from "./kairos";
import { kvflow } from "./kvflow";
import { lcpSlot } from "./lcp-slot";
import { lpm } from "./lpm";
import { parrot } from "./parrot";
import { plas } from "./plas";
import type { Policy } from "./policy";
import { spf } from "./spf";
import { topas } from "./topas/topas";

export const policies: Readonly<Record<PolicyName, Policy>> = {
  topas,
  fcfs,
  lpm,
  spf,
  parrot,
  plas,
  atlas,
  "lcp-slot": lcpSlot,
  continuum,
  hrrn,
  kairos,
  kvflow,
  belady,
};

/** Needs to be told the future; for the simulator alone. */
export const offlinePolicies: readonly PolicyName[] = ["belady"];

/** What a running server can be told to use. */
export const policyNames = (Object.keys(policies) as readonly PolicyName[]).filter(
  (name) => !offlinePolicies.includes(name),
);
