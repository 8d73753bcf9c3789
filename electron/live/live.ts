/** What the HTTP layer, the window and the demo may ask of the running server. Implemented by `createLive` (create-live.ts). */
import type {
  EmbedOptions,
  EncodedPrompt,
  EngineDescription,
  PromptSource,
  TokenizeOptions,
  TokenLogprob,
} from "../../core/contract/engine";
import type { AgentId, Milliseconds, RequestId, Token, WorkflowId } from "../../core/contract/ids";
import type { PolicyName } from "../../core/contract/policy-name";
import type { InspectionResult } from "../../core/inspect/inspection";
import type { Decision } from "../../core/topas/decision";
import type { FinishReason, Refusal } from "../../core/topas/events";
import type { RequestSpec } from "../../core/topas/inputs";
import type { Workflow } from "../../core/topas/workflow";
import type { History } from "../../core/view/history";
import type { RequestRecord } from "../../core/view/request-record";
import type { LiveView } from "../../core/view/view";
import type { Eviction, PrefixFinding } from "./past-log";

export type NewRequest = RequestSpec;

export interface RequestUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens taken from the KV cache, in place or forked. */
  readonly cachedTokens: number;
  readonly queueMs: Milliseconds;
  readonly ttftMs: Milliseconds;
  readonly durationMs: Milliseconds;
}

/** What a request's owner hears: `admitted`, then any number of `text`, then exactly one of the other four. */
export type RequestUpdate =
  | { readonly kind: "admitted" }
  /** `logprobs`: of the tokens that this text is made of; only for a request with `topLogprobs`. */
  | { readonly kind: "text"; readonly text: string; readonly logprobs?: readonly TokenLogprob[] }
  /** `stopText`: the one that ended the answer, if one did. */
  | {
      readonly kind: "finished";
      readonly reason: FinishReason;
      readonly usage: RequestUsage;
      readonly stopText: string | null;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "cancelled"; readonly reason: string; readonly cause?: "deadline" };

/** No model is loaded and none is being loaded, or the engine could not be brought back. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}

/** What the user may do to the queue, as the scheduler's inputs are called. */
export type UserAct =
  | { readonly kind: "queue.paused" | "queue.resumed" }
  | { readonly kind: "request.moved_up" | "request.move_undone"; readonly requestId: RequestId }
  | { readonly kind: "prefix.pinned" | "prefix.unpinned"; readonly agent: AgentId };

/** What is remembered, oldest first, within limits. */
export interface Past {
  requests(): readonly RequestRecord[];
  readonly decisions: readonly Decision[];
  readonly evictions: readonly Eviction[];
  /** Null for a request that is forgotten, or that begins like no other. */
  finding(requestId: RequestId): PrefixFinding | null;
}

export interface Live {
  /** The loaded model; stays while its engine restarts; null before the first load. */
  readonly engine: EngineDescription | null;
  /** For /health: is a model loaded, is its engine answering. */
  readonly health: "no_model" | "loading" | "ready" | "restarting" | "stalled" | "failed";
  readonly view: LiveView;
  /** What happened, within its limits. */
  readonly history: History<LiveView>;
  /** The server's clock, which events and deadlines are in. */
  readonly nowMs: Milliseconds;
  /** Waits while the engine loads or restarts. Rejects with `EngineUnavailable` or `PromptRefused`. */
  encode(source: PromptSource): Promise<EncodedPrompt>;
  /** These four wait and reject as `encode` does; what else they reject with stands at the engine port. */
  tokenize(text: string, options: TokenizeOptions): Promise<readonly Token[]>;
  detokenize(tokens: readonly Token[]): Promise<string>;
  embed(inputs: readonly (readonly Token[])[], options: EmbedOptions): Promise<readonly (readonly number[])[]>;
  checkGrammar(grammar: string): Promise<void>;
  submit(request: NewRequest, listener: (update: RequestUpdate) => void): void;
  cancel(requestId: RequestId, reason: string): void;
  declareWorkflow(workflow: Workflow): void;
  withdrawWorkflow(workflowId: WorkflowId): void;
  choosePolicy(policy: PolicyName): void;
  /** Null when it was done, else why it cannot be. */
  act(act: UserAct): string | null;
  /** Of a request that waits, runs or ended among the last 1,000; else null. */
  explain(requestId: RequestId): RequestRecord | null;
  readonly past: Past;
  /** A decision taken apart; the planner is asked again for it, in pieces beside the server's other work. */
  inspect(decision: number): Promise<InspectionResult>;
}
