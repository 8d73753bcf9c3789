/** Says in HTTP what the running server answered: refusals, failures, a lost engine. */
import { PromptRefused, PromptTooLong } from "../../core/contract/engine";
import type { Refusal } from "../../core/topas/events";
import { EngineUnavailable, type Live } from "../live/live";
import { ApiError } from "./api-error";
import { noEngine } from "./models";

/** `param`: where the prompt stands in the client's body. */
export function refusalError(
  { code, message, promptTokens, slotTokens, retryAfterMs }: Refusal,
  param = "messages",
): ApiError {
  switch (code) {
    case "context_length_exceeded":
      return new ApiError(code, message, {
        param,
        extra: { n_prompt_tokens: promptTokens, n_ctx: slotTokens },
      });
    case "empty_prompt":
      return new ApiError(code, message, { param });
    case "queue_full":
      return new ApiError(code, message, retryAfterMs === undefined ? {} : { headers: retryAfter(retryAfterMs) });
    case "deadline_unmeetable":
    case "duplicate_request":
      return new ApiError(code, message);
    default:
      return code satisfies never;
  }
}

export function failureError(live: Live, message: string): ApiError {
  if (live.health === "failed" || live.health === "no_model") return noEngine(live);
  return new ApiError("engine_failure", `The engine could not finish this request: ${message}`);
}

const retryAfterMaxS = 300;

/** Whole seconds, as HTTP has it. */
function retryAfter(ms: number): { "retry-after": string } {
  return { "retry-after": String(Math.min(retryAfterMaxS, Math.max(1, Math.ceil(ms / 1000)))) };
}

export function cancelledError(reason: string, cause?: "deadline"): ApiError {
  if (cause === "deadline") return new ApiError("deadline_exceeded", reason);
  return new ApiError("request_cancelled", `The request was cancelled: ${reason}`);
}

/** What `encode` and its like reject with; null for anything else. */
export function promptError(live: Live, error: unknown, param = "messages"): ApiError | null {
  if (error instanceof PromptRefused) {
    const message =
      param === "messages" ? `The model's chat template refuses these messages: ${error.message}` : error.message;
    return new ApiError("prompt_refused", message, { param });
  }
  if (error instanceof PromptTooLong) {
    const { message, promptTokens, slotTokens } = error;
    return refusalError({ code: "context_length_exceeded", message, promptTokens, slotTokens }, param);
  }
  if (error instanceof EngineUnavailable) return noEngine(live);
  return null;
}
