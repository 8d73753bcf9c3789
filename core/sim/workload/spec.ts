/**
 * What a workload is made of: agents with long prefixes, workflows of stages, and how tasks arrive. Only data, the same
 * for the built-in ones and for files; lengths are in tokens and are drawn evenly from a range, both ends included.
 */
import type { AgentId, Milliseconds, StageId, WorkflowId } from "../../contract/ids";

export type Range = readonly [low: number, high: number];

/** A pause outside the engine, e.g. a tool at work. */
export type Gap =
  | { readonly kind: "none" }
  | { readonly kind: "uniform"; readonly lowMs: Milliseconds; readonly highMs: Milliseconds }
  | {
      readonly kind: "lognormal";
      readonly medianMs: Milliseconds;
      /** Standard deviation of the logarithm. */
      readonly sigma: number;
      /** Longer draws are cut to this. */
      readonly mostMs: Milliseconds;
    };

export interface AgentSpec {
  readonly id: AgentId;
  /** Drawn once for the whole workload, from the workload's name. */
  readonly prefixTokens: Range;
}

interface StageBase {
  readonly id: StageId;
  /** Stages of the same workflow that must be over before this one begins. */
  readonly after: readonly StageId[];
}

/** One call of an agent, or several at once. */
export interface CallStage extends StageBase {
  readonly kind: "call";
  readonly agent: AgentId;
  readonly calls: Range;
  /** Pause between the last answer it waits for and the call. */
  readonly gap: Gap;
  /** The prompt behind the agent's prefix. */
  readonly tailTokens: Range;
  /** All calls of the stage in one task have the very same prompt. */
  readonly sameTail: boolean;
  /** Stages whose answers stand behind the tail, each at full length. */
  readonly reads: readonly StageId[];
  readonly outputTokens: Range;
}

/** One agent called again and again: each prompt is the whole conversation so far. */
export interface ConversationStage extends StageBase {
  readonly kind: "conversation";
  readonly agent: AgentId;
  readonly turns: Range;
  readonly firstTokens: Range;
  readonly outputTokens: Range;
  /** What a tool gives back between two turns. */
  readonly resultTokens: Range;
  /** How long the tool takes. */
  readonly gap: Gap;
}

/** A selector names who speaks, the speaker's answer joins the transcript that all read, and so on. */
export interface GroupChatStage extends StageBase {
  readonly kind: "group_chat";
  readonly selector: AgentId;
  readonly speakers: readonly AgentId[];
  readonly rounds: Range;
  readonly firstTokens: Range;
  /** The selector's answer; it does not join the transcript. */
  readonly selectTokens: Range;
  readonly outputTokens: Range;
}

export type StageSpec = CallStage | ConversationStage | GroupChatStage;

export interface WorkflowSpec {
  readonly id: WorkflowId;
  /** How many of the tasks are of this workflow, against the shares of the others. */
  readonly share: number;
  readonly stages: readonly StageSpec[];
}

export type Arrivals =
  /** Exponential gaps. */
  | { readonly kind: "poisson" }
  /** Several tasks at one moment, exponential gaps between the moments. */
  | { readonly kind: "bursts"; readonly tasks: Range };

export interface WorkloadSpec {
  readonly name: string;
  readonly agents: readonly AgentSpec[];
  readonly workflows: readonly WorkflowSpec[];
  readonly arrivals: Arrivals;
}

/** An answer's own limit, as a client would set it: the longest answer, rounded up to a multiple of 64. */
export function maxTokensOf([, high]: Range): number {
  return Math.ceil(high / 64) * 64;
}

export function meanOf([low, high]: Range): number {
  return (low + high) / 2;
}
