/** The scheduling policies as people read them: a name and one line on what each does. Those of simulations alone are left out. */
import type { PolicyName } from "../../core/contract/policy-name";

export interface PolicyWords {
  readonly name: PolicyName;
  readonly label: string;
  readonly line: string;
}

type LivePolicy = Exclude<PolicyName, "belady">;

const WORDS: Readonly<Record<LivePolicy, Omit<PolicyWords, "name">>> = {
  topas: {
    label: "TOPAS",
    line: "Knows the workflow: starts what ends tasks sooner, keeps prefixes that come next",
  },
  fcfs: { label: "FCFS", line: "First come, first served" },
  lpm: { label: "LPM", line: "As in SGLang: the longest prefix in the KV cache first" },
  spf: { label: "SPF", line: "Shortest path first: the task of which least is left" },
  parrot: { label: "Parrot", line: "Oldest task first, in it the stage furthest along" },
  plas: { label: "PLAS", line: "Autellix: the program that was served least" },
  atlas: { label: "ATLAS", line: "Autellix: the program whose longest chain of calls was served least" },
  "lcp-slot": { label: "LCP-slot", line: "As in llama-server: first come, into the slot most like the prompt" },
  continuum: { label: "Continuum", line: "Oldest program first, its KV cache kept through short gaps" },
  hrrn: { label: "HRRN", line: "Highest response ratio: the longest wait for what is needed" },
  kairos: { label: "Kairos", line: "The agent after which least of the workflow follows" },
  kvflow: { label: "KVFlow", line: "First come, first served; gives up prefixes that are needed last" },
};

export const POLICIES: readonly PolicyWords[] = (Object.keys(WORDS) as readonly LivePolicy[]).map((name) => ({
  name,
  ...WORDS[name],
}));

export function policyLabel(name: PolicyName): string {
  return POLICIES.find((policy) => policy.name === name)?.label ?? name;
}
