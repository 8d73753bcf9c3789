/** Lengths that several built-in workloads share; never changed, or old results could not be compared with new ones. */
import type { AgentSpec, CallStage, Range } from "../spec";

/** A coding agent with its tools' schemas in the system prompt. */
export const coder = {
  prefixTokens: [4500, 7500],
  lengths: { tailTokens: [300, 900], outputTokens: [150, 450] },
} as const;

export function agents(ids: readonly string[], prefixTokens: Range): readonly AgentSpec[] {
  return ids.map((id) => ({ id, prefixTokens }));
}

type Call = Pick<CallStage, "id" | "agent" | "after" | "tailTokens" | "outputTokens"> & Partial<CallStage>;

/** A stage of one call, but for what is said otherwise. */
export function call(stage: Call): CallStage {
  return { kind: "call", calls: [1, 1], gap: { kind: "none" }, sameTail: false, reads: [], ...stage };
}
