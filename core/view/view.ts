/** What the window shows, as plain data that can be sent between processes. Made only by folding events (fold.ts). */
import type {
  AgentId,
  Milliseconds,
  RequestId,
  Seconds,
  SlotIndex,
  StageId,
  TaskId,
  WorkflowId,
} from "../contract/ids";
import type { PolicyName } from "../contract/policy-name";
import type { Decision, PrefixSource, WaitCode } from "../topas/decision";
import type { Priority } from "../topas/inputs";
import type { Workflow } from "../topas/workflow";

export type RequestPhase = "waiting" | "prefill" | "decode";

/** A request that waits or runs. */
export interface RequestView {
  readonly requestId: RequestId;
  /** e.g. `coder#2` */
  readonly label: string;
  readonly agent: AgentId;
  readonly taskId: TaskId;
  readonly stageId: StageId | null;
  readonly phase: RequestPhase;
  /** By the user, to the front of the queue. */
  readonly movedUp: boolean;
  readonly priority: Priority | "normal";
  /** On the server's clock; null: none. */
  readonly deadlineMs: Milliseconds | null;
  readonly arrivedAtMs: Milliseconds;
  readonly admittedAtMs: Milliseconds | null;
  readonly firstTokenAtMs: Milliseconds | null;
  readonly slot: SlotIndex | null;
  readonly source: PrefixSource | null;
  readonly promptTokens: number;
  readonly prefixTokens: number;
  readonly generatedTokens: number;
  /** Most tokens it may generate. */
  readonly maxTokens: number;
  /** Tokens to evaluate before the next one can be drawn: the whole of it right after an admission. */
  readonly tokensToEvaluate: number;
}

export interface SlotView {
  readonly slot: SlotIndex;
  /** Null while idle. */
  readonly requestId: RequestId | null;
  /** Whose prefix it holds, running or warm; null while empty. */
  readonly agent: AgentId | null;
  /** Tokens of the agent's own prefix among those held. */
  readonly prefixTokens: number;
  readonly heldTokens: number;
  /** Tokens of the running request still to prefill. */
  readonly toPrefillTokens: number;
  readonly forkedFrom: SlotIndex | null;
  readonly idleSinceMs: Milliseconds | null;
  /** The task for which the last decision keeps this idle slot warm, as people read it. */
  readonly keptFor: string | null;
}

export interface QueueRow {
  readonly requestId: RequestId;
  readonly place: number;
  /** Place in the decision before, if it was another. */
  readonly formerPlace: number | null;
  readonly score: Seconds;
  readonly reuse: PrefixSource;
  readonly sentence: string;
  readonly code: WaitCode;
  readonly decision: number;
}

export type StagePhase = "done" | "running" | "waiting" | "next" | "not_ready";

export interface StageView {
  readonly stageId: StageId;
  readonly agent: AgentId | null;
  readonly after: readonly StageId[];
  /** `next`: all unfinished predecessors run now. */
  readonly phase: StagePhase;
  /** Newest request of this stage, if any has arrived. */
  readonly requestId: RequestId | null;
  readonly label: string;
  readonly startedAtMs: Milliseconds | null;
  readonly finishedAtMs: Milliseconds | null;
  readonly onCriticalPath: boolean;
}

export interface TaskView {
  readonly taskId: TaskId;
  readonly workflowId: WorkflowId | null;
  /** Name of the workflow, or "No workflow". */
  readonly name: string;
  readonly number: number;
  readonly startedAtMs: Milliseconds;
  readonly finishedAtMs: Milliseconds | null;
  readonly stages: readonly StageView[];
}

export interface Totals {
  readonly promptTokens: number;
  readonly computedTokens: number;
  /** Reused in place. */
  readonly reusedTokens: number;
  readonly forkedTokens: number;
  readonly generatedTokens: number;
  readonly decisions: number;
  readonly finishedRequests: number;
  readonly failedRequests: number;
  readonly cancelledRequests: number;
}

export interface EngineView {
  readonly phase: "down" | "ready";
  /** Why it is down; null before the first start. */
  readonly lostReason: string | null;
  readonly slots: number;
  readonly slotTokens: number;
}

export interface LiveView {
  /** Number of the last event folded in. */
  readonly eventNumber: number;
  readonly atMs: Milliseconds;
  readonly engine: EngineView;
  readonly policy: PolicyName;
  /** Since when the queue is paused by the user; null: it is not. */
  readonly pausedSinceMs: Milliseconds | null;
  /** Agents whose prefix the user pinned, in that order. */
  readonly pinned: readonly AgentId[];
  /** In order of first appearance: the index gives the colour. */
  readonly agents: readonly AgentId[];
  readonly requests: Readonly<Record<RequestId, RequestView>>;
  readonly slots: readonly SlotView[];
  /** The policy's order as of the last decision; requests that arrived since stand behind. */
  readonly queue: readonly QueueRow[];
  readonly workflows: Readonly<Record<WorkflowId, Workflow>>;
  /** In flight first (oldest first), then the last few finished. */
  readonly tasks: readonly TaskView[];
  readonly lastDecision: Decision | null;
  /** Tokens generated in each of the last 60 whole seconds up to `tokensPerSecondAt`, oldest first. */
  readonly tokensPerSecond: readonly number[];
  /** Whole second of the server's clock that the last entry belongs to. */
  readonly tokensPerSecondAt: number;
  /** Of the last 100 requests, in ms. */
  readonly recentTtftMs: readonly Milliseconds[];
  /** Of the last 100 tasks, in ms. */
  readonly recentJctMs: readonly Milliseconds[];
  readonly totals: Totals;
  /** The batch being evaluated. */
  readonly underWay: readonly { readonly requestId: RequestId; readonly slot: SlotIndex; readonly tokens: number }[];
  /** Mean time of each stage seen so far, from admission to end, by `workflow/stage`: weighs the critical path. */
  readonly stageMs: Readonly<Record<string, { readonly count: number; readonly meanMs: Milliseconds }>>;
}
