/** The scheduler's whole memory. Only `evolve` writes to it; everyone else reads. */
import type { Batch, CostProfile, SequenceOperation } from "../contract/engine";
import type { AgentId, Milliseconds, RequestId, SlotIndex, StageId, TaskId, Token, WorkflowId } from "../contract/ids";
import type { PolicyName } from "../contract/policy-name";
import type { Served } from "./fairness";
import type { RequestSpec } from "./inputs";
import type { Workflow } from "./workflow";

/** A request that waits or runs; those that ended are gone. */
export interface RequestState {
  readonly spec: RequestSpec;
  readonly label: string;
  /** Order of arrival, from 1; breaks every tie. */
  readonly arrival: number;
  readonly arrivedAtMs: Milliseconds;
  /** Null while it waits. */
  slot: SlotIndex | null;
  admittedAtMs: Milliseconds | null;
  /** Tokens drawn so far; the last one is not in the KV cache yet. */
  readonly generated: Token[];
  waitingSinceMs: Milliseconds;
  preemptions: number;
  /** The user moved it to the front, the highest first; null: the policy orders it. */
  movedUp: number | null;
  /** Time in a slot before the present admission; what the engine has spent on it so far. */
  servedMs: Milliseconds;
  /** Its task's longest served path when it arrived (Autellix: a call inherits it). */
  readonly inheritedMs: Milliseconds;
}

/**
 *   tokens:  [ prefix of the agent | rest of the prompt | generated ]
 *             0 ..................................... tokens.length
 * For a running request it is what has been evaluated of prompt + generated; for an idle slot what is left warm.
 */
export interface SlotState {
  readonly slot: SlotIndex;
  tokens: Token[];
  requestId: RequestId | null;
  /** Whose prompt it holds. */
  agent: AgentId | null;
  /** How many of `tokens` are that agent's prefix. */
  prefixTokens: number;
  lastUsedAtMs: Milliseconds;
}

export interface StageProgress {
  /** Requests that ended well. */
  finished: number;
  /** Requests that wait or run. */
  open: number;
}

export interface TaskState {
  readonly taskId: TaskId;
  readonly workflowId: WorkflowId | null;
  readonly number: number;
  readonly startedAtMs: Milliseconds;
  /** It is one request that belongs to no run. */
  readonly lone: boolean;
  openRequests: number;
  /** When its last request ended; null while none has. */
  lastEndedAtMs: Milliseconds | null;
  /** Time in a slot of all requests that ended, and of the longest chain of them (Autellix' PLAS and ATLAS). */
  servedMs: Milliseconds;
  longestServedMs: Milliseconds;
  /** Time its requests spent waiting. */
  waitedMs: Milliseconds;
  readonly stages: Map<StageId, StageProgress>;
}

/** What requests of one kind needed: means of all, and the answers of the last ones as a distribution. */
export interface ServiceRecord {
  count: number;
  meanOutputTokens: number;
  /** Answer lengths in tokens, in a ring of at most `outputsKept`. */
  readonly lastOutputs: number[];
  /** Prompt tokens behind the agent's prefix. */
  meanTailTokens: number;
}

/** A prefix that all requests of an agent share, paid once (token pool only). */
export interface SharedPrefix {
  readonly agent: AgentId;
  readonly tokens: readonly Token[];
  /** How many of them are evaluated; the rest is being computed by the first of its running requests. */
  readyTokens: number;
  lastUsedAtMs: Milliseconds;
}

/** A copy in the warm store in RAM. */
export interface StoredSequence {
  readonly entry: number;
  readonly agent: AgentId;
  readonly tokens: readonly Token[];
  readonly prefixTokens: number;
  lastUsedAtMs: Milliseconds;
}

export interface EngineState {
  phase: "down" | "ready";
  slotTokens: number;
  /** Null: a slot pool. */
  budgetTokens: number | null;
  /** 0: there is no warm store. */
  storeTokens: number;
  costs: CostProfile;
}

export interface SchedulerState {
  nowMs: Milliseconds;
  eventNumber: number;
  arrivals: number;
  decisions: number;
  batches: number;
  /** Steps of all batches. */
  steps: number;
  policy: PolicyName;
  /** By the user: nobody is admitted. */
  isPaused: boolean;
  /** Times that a request was moved up. */
  movesUp: number;
  /** Agents whose prefix the user pinned, in that order. */
  readonly pinned: Set<AgentId>;
  engine: EngineState;
  slots: SlotState[];
  readonly prefixes: Map<AgentId, SharedPrefix>;
  readonly store: Map<number, StoredSequence>;
  storeEntries: number;
  readonly requests: Map<RequestId, RequestState>;
  readonly tasks: Map<TaskId, TaskState>;
  readonly workflows: Map<WorkflowId, Workflow>;
  /** Requests seen of each agent: gives the labels. */
  readonly agentRequests: Map<AgentId, number>;
  readonly taskNumbers: Map<WorkflowId, number>;
  /** Agents of the calls to come, where a simulation told them. */
  announcedCalls: AgentId[];
  /** Between the end of a task's call and its next one, with nothing of it open in between; the last `toolGapsKept`. */
  toolGapsMs: Milliseconds[];
  /** Keyed by `stage:<workflow>/<stage>`, `agent:<agent>` and `all`. */
  readonly services: Map<string, ServiceRecord>;
  /** Time that clients and lone agents had in slots lately. */
  readonly served: Map<string, Served>;
  /** When the last `admissionsKept` requests were admitted: how fast the queue moves. */
  readonly admissionsMs: Milliseconds[];
  /** Copies and cuts that the next batch has to begin with. */
  pendingOperations: SequenceOperation[];
  /** Its work and its steps are those of the step under way and after; one step left once it was interrupted. */
  batchInFlight: Batch | null;
  /** Running mean of the last finished tasks, lone requests left out; null while none has. */
  meanJctMs: Milliseconds | null;
  /** When the driver was last asked to wake us; null if it is not to. */
  alarmForMs: Milliseconds | null;
}
