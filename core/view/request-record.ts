/** The life of one request, folded from events: what `explain` answers and what the demo's table adds up. */
import type { AgentId, Milliseconds, RequestId, StageId, TaskId, WorkflowId } from "../contract/ids";
import type { WaitCode } from "../topas/decision";
import type { Priority } from "../topas/inputs";

/** A stretch of waiting with one and the same reason. */
export interface WaitSpan {
  readonly fromMs: Milliseconds;
  /** Null while it lasts. */
  readonly toMs: Milliseconds | null;
  readonly code: WaitCode;
  readonly sentence: string;
  readonly decision: number;
}

export type RequestOutcome = "waiting" | "running" | "finished" | "cancelled" | "failed";

export interface RequestRecord {
  readonly requestId: RequestId;
  readonly label: string;
  readonly agent: AgentId;
  readonly taskId: TaskId;
  readonly workflowId: WorkflowId | null;
  readonly stageId: StageId | null;
  readonly priority: Priority | "normal";
  readonly outcome: RequestOutcome;
  /** Finish reason, reason of the cancellation or message of the failure. */
  readonly ending: string | null;
  readonly arrivedAtMs: Milliseconds;
  readonly admittedAtMs: Milliseconds | null;
  readonly firstTokenAtMs: Milliseconds | null;
  readonly endedAtMs: Milliseconds | null;
  readonly slot: number | null;
  readonly promptTokens: number;
  /** Found in the slot itself. */
  readonly reusedTokens: number;
  /** Copied from another slot. */
  readonly forkedTokens: number;
  readonly forkedFromSlot: number | null;
  /** Prompt tokens evaluated so far. */
  readonly computedTokens: number;
  readonly generatedTokens: number;
  /** Times it lost its slot with the engine. */
  readonly restarts: number;
  readonly waits: readonly WaitSpan[];
  /** The decision that admitted it, in words. */
  readonly admittedBecause: string | null;
}
