/** Usage as OpenAI's chat completions and completions tell it, and what only this server knows. */
import type { EngineDescription } from "../../../core/contract/engine";
import type { RequestId } from "../../../core/contract/ids";
import type { GenerationUsage } from "../generation/generation-event";
import { roundMs } from "../round-ms";

export function usageObject(usage: GenerationUsage): object {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

export function topasObject(requestId: RequestId, usage: GenerationUsage): object {
  return { request_id: requestId, queue_ms: roundMs(usage.queueMs), ttft_ms: roundMs(usage.ttftMs) };
}

/** Changes whenever an answer may change for the same seed: another build or another model. */
export function fingerprintOf({ build, modelId, quantization }: EngineDescription): string {
  return `fp_${`${build}-${modelId}-${quantization}`.replace(/[^\w.-]+/g, "-")}`;
}
