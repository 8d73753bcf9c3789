/** Everything that can happen to the scheduler. Time and ids come in here; the core has no other source of either. */
import type { BatchResult, CostProfile, SamplingOptions } from "../contract/engine";
import type { AgentId, Milliseconds, RequestId, StageId, TaskId, Token, WorkflowId } from "../contract/ids";
import type { PolicyName } from "../contract/policy-name";
import type { Workflow } from "./workflow";

export interface RequestSpec {
  readonly requestId: RequestId;
  readonly agent: AgentId;
  /** The request's own id when it belongs to no run. */
  readonly taskId: TaskId;
  readonly workflowId: WorkflowId | null;
  readonly stageId: StageId | null;
  readonly promptTokens: readonly Token[];
  /** Leading tokens that every request of this agent shares. */
  readonly prefixTokens: number;
  /** Most tokens to generate; null = as many as the slot has room for. */
  readonly maxTokens: number | null;
  readonly sampling: SamplingOptions;
  readonly stop: readonly string[];
  /** Absent: normal. A term of TOPAS; the other policies know none. */
  readonly priority?: Priority;
  /** Whose request it is, where clients can be told apart: TOPAS is fair between them. */
  readonly client?: string;
  /** On the server's clock: one that has not ended by then is cancelled. */
  readonly deadlineMs?: Milliseconds;
}

export type Priority = "high" | "low";

export type OutsideInput =
  | {
      readonly origin: "outside";
      readonly kind: "request.submitted";
      readonly atMs: Milliseconds;
      readonly request: RequestSpec;
    }
  | {
      readonly origin: "outside";
      readonly kind: "request.cancelled";
      readonly atMs: Milliseconds;
      readonly requestId: RequestId;
      readonly reason: string;
    }
  | {
      readonly origin: "outside";
      readonly kind: "workflow.declared";
      readonly atMs: Milliseconds;
      readonly workflow: Workflow;
    }
  /** Its tasks that run go on as tasks whose stages nobody knows. */
  | {
      readonly origin: "outside";
      readonly kind: "workflow.withdrawn";
      readonly atMs: Milliseconds;
      readonly workflowId: WorkflowId;
    }
  | {
      readonly origin: "outside";
      readonly kind: "policy.chosen";
      readonly atMs: Milliseconds;
      readonly policy: PolicyName;
    }
  /** Nobody is admitted until it is resumed; what runs goes on. */
  | { readonly origin: "outside"; readonly kind: "queue.paused"; readonly atMs: Milliseconds }
  | { readonly origin: "outside"; readonly kind: "queue.resumed"; readonly atMs: Milliseconds }
  /** To the front of the queue, and back to where the policy wants it. */
  | {
      readonly origin: "outside";
      readonly kind: "request.moved_up" | "request.move_undone";
      readonly atMs: Milliseconds;
      readonly requestId: RequestId;
    }
  /** The agent's prefix is not given away, once it is in the KV cache. */
  | {
      readonly origin: "outside";
      readonly kind: "prefix.pinned" | "prefix.unpinned";
      readonly atMs: Milliseconds;
      readonly agent: AgentId;
    }
  /** Simulation only: the agents of all calls to come, in the order they are expected. Only the offline bound reads it. */
  | {
      readonly origin: "outside";
      readonly kind: "trace.announced";
      readonly atMs: Milliseconds;
      readonly calls: readonly AgentId[];
    };

export type EngineInput =
  | {
      readonly origin: "engine";
      readonly kind: "engine.ready";
      readonly atMs: Milliseconds;
      readonly slots: number;
      readonly slotTokens: number;
      /** All slots share so many tokens of KV cache, prefixes paid once (token pool); absent: each has its own `slotTokens`. */
      readonly budgetTokens?: number;
      /** Room of the warm store in RAM; absent: there is none. */
      readonly storeTokens?: number;
      readonly costs: CostProfile;
    }
  | { readonly origin: "engine"; readonly kind: "engine.lost"; readonly atMs: Milliseconds; readonly reason: string }
  /** It will not come back by itself: nobody is left waiting for it. */
  | {
      readonly origin: "engine";
      readonly kind: "engine.given_up";
      readonly atMs: Milliseconds;
      readonly reason: string;
    }
  /** A step of the batch under way that is not its last. */
  | {
      readonly origin: "engine";
      readonly kind: "batch.stepped";
      readonly atMs: Milliseconds;
      readonly result: BatchResult;
    }
  /** Its last step. */
  | {
      readonly origin: "engine";
      readonly kind: "batch.finished";
      readonly atMs: Milliseconds;
      readonly result: BatchResult;
    };

export type ClockInput = { readonly origin: "clock"; readonly kind: "alarm.rang"; readonly atMs: Milliseconds };

export type Input = OutsideInput | EngineInput | ClockInput;
