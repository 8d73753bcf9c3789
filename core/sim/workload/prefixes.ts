/** The agents' prefixes: their lengths belong to the workload, not to a run, and no two share a token. */
import type { AgentId, Token } from "../../contract/ids";
import { randomFor } from "./seed";
import type { WorkloadSpec } from "./spec";

export function prefixLengths({ name, agents }: WorkloadSpec): ReadonlyMap<AgentId, number> {
  const random = randomFor("prefixes", name);
  return new Map(agents.map(({ id, prefixTokens }) => [id, random.between(...prefixTokens)]));
}

/** Numbers from here on are prefixes; what the simulated engine generates is below, the tasks' own texts are above. */
const firstPrefixToken = 10_000_000;

export function prefixTokens(spec: WorkloadSpec): ReadonlyMap<AgentId, readonly Token[]> {
  let next = firstPrefixToken;
  return new Map([...prefixLengths(spec)].map(([agent, length]) => [agent, Array.from({ length }, () => next++)]));
}
