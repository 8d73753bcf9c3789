/** The Response object: every member the API requires is there, null where it says nothing. Builds it only. */
import type { ApiError } from "../api-error";
import type { GenerationUsage } from "../generation/generation-event";
import type { ResponseBody } from "./response-body";

export type ResponseStatus = "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";

export interface ResponseObject {
  readonly id: string;
  readonly status: ResponseStatus;
  readonly output: readonly object[];
  readonly [member: string]: unknown;
}

/** What is the same in all of one response. */
export interface ResponseHead {
  readonly id: string;
  /** Epoch seconds. */
  readonly createdAt: number;
  readonly body: ResponseBody;
}

/** What changes while it is made. */
export interface ResponseState {
  readonly status: ResponseStatus;
  readonly output: readonly object[];
  readonly usage: GenerationUsage | null;
  readonly error: ApiError | null;
}

export function responseObject({ id, createdAt, body }: ResponseHead, state: ResponseState): ResponseObject {
  const { fields, book } = body;
  const { status, output, usage, error } = state;
  return {
    id,
    object: "response",
    created_at: createdAt,
    completed_at: status === "completed" ? Math.floor(Date.now() / 1000) : null,
    status,
    background: fields.background ?? false,
    error: error === null ? null : responseError(error),
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: fields.instructions ?? null,
    max_output_tokens: fields.max_output_tokens ?? null,
    max_tool_calls: fields.max_tool_calls ?? null,
    model: fields.model,
    output,
    parallel_tool_calls: fields.parallel_tool_calls ?? true,
    previous_response_id: fields.previous_response_id ?? null,
    prompt_cache_key: fields.prompt_cache_key ?? null,
    safety_identifier: fields.safety_identifier ?? null,
    service_tier: fields.service_tier ?? "default",
    store: fields.store ?? true,
    temperature: fields.temperature ?? 1,
    top_p: fields.top_p ?? 1,
    presence_penalty: fields.presence_penalty ?? 0,
    frequency_penalty: fields.frequency_penalty ?? 0,
    top_logprobs: fields.top_logprobs ?? 0,
    text: { format: fields.text?.format ?? { type: "text" }, verbosity: fields.text?.verbosity ?? "medium" },
    tool_choice: fields.tool_choice ?? "auto",
    tools: book.echo,
    reasoning: { effort: fields.reasoning?.effort ?? null, summary: fields.reasoning?.summary ?? null },
    truncation: "disabled",
    usage: usage === null ? null : usageObject(usage),
    user: fields.user ?? null,
    metadata: fields.metadata ?? {},
  };
}

/** Codes outside OpenAI's own list are kept where a client acts on them. */
function responseError(error: ApiError): object {
  const kept = ["context_length_exceeded", "rate_limit_exceeded"];
  const code = error.code === "queue_full" ? "rate_limit_exceeded" : error.code;
  const own = error.status < 500 ? "invalid_prompt" : "server_error";
  return { code: kept.includes(code) ? code : own, message: error.message };
}

function usageObject(usage: GenerationUsage): object {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}
