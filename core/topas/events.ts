/**
 * What the scheduler did, in order. The same events drive the engine, fill the journal and draw the window, and folding
 * them from the empty state gives the state again.
 */
import type { Batch, BatchAnswer, CostProfile } from "../contract/engine";
import type { AgentId, Milliseconds, RequestId, SlotIndex, TaskId, WorkflowId } from "../contract/ids";
import type { PolicyName } from "../contract/policy-name";
import type { Decision, PrefixSource } from "./decision";
import type { RequestSpec } from "./inputs";
import type { Workflow } from "./workflow";

export type FinishReason = "end_of_sequence" | "stop_text" | "length";

export type RefusalCode =
  | "context_length_exceeded"
  | "empty_prompt"
  | "queue_full"
  | "duplicate_request"
  | "deadline_unmeetable";

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  /** Set for `context_length_exceeded`. */
  readonly promptTokens?: number;
  readonly slotTokens?: number;
  /** Set for `queue_full` where the queue moves: when a place is likely to be free. */
  readonly retryAfterMs?: Milliseconds;
}

/** What came of one step of a batch. */
export interface StepFacts {
  readonly batchId: number;
  readonly durationMs: Milliseconds;
  readonly answers: readonly BatchAnswer[];
  readonly failedRequests: readonly RequestId[];
}

/** What a user can do to the queue. */
export type Act = "pause" | "resume" | "move_up" | "undo_move_up" | "pin" | "unpin";

export type EventBody =
  | {
      readonly kind: "engine.ready";
      readonly slots: number;
      readonly slotTokens: number;
      readonly budgetTokens?: number;
      readonly storeTokens?: number;
      readonly costs: CostProfile;
    }
  /** Every slot is empty again; what was running follows as `request.requeued`. */
  | { readonly kind: "engine.lost"; readonly reason: string }
  | { readonly kind: "policy.chosen"; readonly policy: PolicyName }
  | { readonly kind: "trace.announced"; readonly calls: readonly AgentId[] }
  | { readonly kind: "workflow.declared"; readonly workflow: Workflow }
  | { readonly kind: "workflow.withdrawn"; readonly workflowId: WorkflowId }
  | { readonly kind: "queue.paused" }
  | { readonly kind: "queue.resumed" }
  /** It goes before all others; the highest rank first. */
  | { readonly kind: "request.moved_up"; readonly requestId: RequestId; readonly rank: number }
  | { readonly kind: "request.move_undone"; readonly requestId: RequestId }
  | { readonly kind: "prefix.pinned"; readonly agent: AgentId }
  | { readonly kind: "prefix.unpinned"; readonly agent: AgentId; readonly reason: string }
  /** What the user asked for cannot be done now; `target` is the request or the agent. */
  | { readonly kind: "act.refused"; readonly act: Act; readonly target: string | null; readonly message: string }
  /** A task's first request arrived. `taskNumber` counts the tasks of one workflow from 1. `lone`: it is only that request. */
  | {
      readonly kind: "task.started";
      readonly taskId: TaskId;
      readonly workflowId: WorkflowId | null;
      readonly taskNumber: number;
      readonly lone: boolean;
    }
  | { readonly kind: "task.finished"; readonly taskId: TaskId; readonly jctMs: Milliseconds }
  /** `label` is what people read, e.g. `coder#2`. */
  | {
      readonly kind: "request.arrived";
      readonly request: RequestSpec;
      readonly label: string;
      readonly arrival: number;
    }
  | { readonly kind: "request.refused"; readonly requestId: RequestId; readonly refusal: Refusal }
  | {
      readonly kind: "request.admitted";
      readonly requestId: RequestId;
      readonly slot: SlotIndex;
      readonly source: PrefixSource;
      readonly evicts: readonly AgentId[];
      readonly decision: number;
    }
  /** Gave up its slot for another; keeps its tokens and its age, and what it held stays in the slot until that is needed. */
  | { readonly kind: "request.preempted"; readonly requestId: RequestId; readonly decision: number }
  /** Lost its slot with the engine; keeps its tokens and its age. */
  | { readonly kind: "request.requeued"; readonly requestId: RequestId; readonly generatedTokens: number }
  | { readonly kind: "request.finished"; readonly requestId: RequestId; readonly reason: FinishReason }
  /** `cause` is set where it was no client and no user who ended it. */
  | {
      readonly kind: "request.cancelled";
      readonly requestId: RequestId;
      readonly reason: string;
      readonly cause?: "deadline";
    }
  | { readonly kind: "request.failed"; readonly requestId: RequestId; readonly message: string }
  | { readonly kind: "decision.made"; readonly decision: Decision }
  | { readonly kind: "batch.started"; readonly batch: Batch }
  /** A step that was not the last: the batch goes on with the tokens it drew. */
  | ({ readonly kind: "batch.stepped" } & StepFacts)
  /** It is to end with the step under way, because something else should run. */
  | { readonly kind: "batch.interrupted"; readonly batchId: number }
  | ({ readonly kind: "batch.finished" } & StepFacts)
  /** The driver is to send `alarm.rang` at that time. */
  | { readonly kind: "alarm.set"; readonly forMs: Milliseconds };

/** A body with a field of that name would lose it: the compiler then knows no such event. */
type Numberless<Body> = Body extends { readonly number: unknown } ? never : Body;

/** `number` counts from 1 without a gap. */
export type TopasEvent = Numberless<EventBody> & { readonly number: number; readonly atMs: Milliseconds };
