/** Anthropic's shape for an error and its names for the kinds of them; the status of two differs from OpenAI's as well. */
import type { ApiError } from "../api-error";

export interface AnthropicErrorBody {
  readonly type: "error";
  readonly error: { readonly type: string; readonly message: string };
  readonly request_id: string;
}

const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

export function anthropicStatus({ status }: ApiError): number {
  return status === 503 ? 529 : status;
}

export function anthropicError(error: ApiError, requestId: string): AnthropicErrorBody {
  const status = anthropicStatus(error);
  const type = types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type: "error", error: { type, message: messageOf(error) }, request_id: requestId };
}

/** Claude Code compacts its conversation when it reads exactly this sentence. */
function messageOf({ code, message, details }: ApiError): string {
  const { n_prompt_tokens, n_ctx } = details.extra ?? {};
  if (code !== "context_length_exceeded" || n_prompt_tokens === undefined || n_ctx === undefined) return message;
  return `prompt is too long: ${n_prompt_tokens} tokens > ${n_ctx} maximum`;
}
