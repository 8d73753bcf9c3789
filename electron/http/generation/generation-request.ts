/** What every API makes of its own body: one request in words that belong to no API. Only types. */
import type { ChatMessage, SamplingOptions, ToolDescription } from "../../../core/contract/engine";
import type { RequestId, Token } from "../../../core/contract/ids";
import type { IdentitySource } from "../identity/identity";
import type { SchedulingHints } from "../scheduling-hints";

export interface GenerationRequest {
  readonly requestId: RequestId;
  /** As the client wrote it. */
  readonly model: string;
  /** Usually one. Every prompt gets `choices` answers, numbered on from those of the prompt before it. */
  readonly prompts: readonly GenerationPrompt[];
  readonly choices: number;
  /** Most tokens of one answer; null = as many as there is room for. */
  readonly maxTokens: number | null;
  readonly sampling: SamplingOptions;
  readonly stop: readonly string[];
  readonly identity: IdentitySource;
  /** Priority, client and deadline. */
  readonly hints?: SchedulingHints;
}

export type GenerationPrompt =
  | ChatPrompt
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "tokens"; readonly tokens: readonly Token[] };

export interface ChatPrompt {
  readonly kind: "chat";
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly GenerationTool[];
  readonly toolChoice: ToolChoice;
  /** False: at most one call in an answer. */
  readonly parallelToolCalls: boolean;
  readonly format: AnswerFormat;
  /** Further variables of the chat template, `enable_thinking` among them. */
  readonly templateOptions: Readonly<Record<string, unknown>>;
}

export interface GenerationTool extends ToolDescription {
  /** The arguments of a forced call obey the whole schema; one that cannot be obeyed is refused. */
  readonly strict: boolean;
  /** Where the tool stands in the client's body, for errors: `tools.0.function`. */
  readonly param: string;
}

export type ToolChoice =
  | { readonly kind: "none" | "auto" | "required" }
  | { readonly kind: "named"; readonly name: string };

export type AnswerFormat =
  | { readonly kind: "text" }
  | { readonly kind: "json_object" }
  /** `param`: where the schema stands in the client's body, for errors. */
  | { readonly kind: "json_schema"; readonly schema: unknown; readonly param: string };
