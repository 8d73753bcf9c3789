/** A declared workflow: a DAG of stages. Only ids and `after` are needed; the rest makes predictions better sooner. */
import type { AgentId, StageId, WorkflowId } from "../contract/ids";

export interface Stage {
  readonly id: StageId;
  readonly agent: AgentId | null;
  /** Stages whose answers this one needs. */
  readonly after: readonly StageId[];
  /** Requests this stage makes in one task; more than one for loops and fan-outs. */
  readonly expectedCalls: number;
  readonly expectedOutputTokens: number | null;
}

export interface Workflow {
  readonly workflowId: WorkflowId;
  readonly name: string;
  /** In topological order. */
  readonly stages: readonly Stage[];
}
