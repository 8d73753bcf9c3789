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

/** Beside the usage: what only this server knows, and llama-server's times. */
export function accountOf(requestId: RequestId, usage: GenerationUsage): object {
  return { timings: timingsObject(usage), topas: topasObject(requestId, usage) };
}

function topasObject(requestId: RequestId, usage: GenerationUsage): object {
  return { request_id: requestId, queue_ms: roundMs(usage.queueMs), ttft_ms: roundMs(usage.ttftMs) };
}

/** llama-server's own account, under its names; the wait in the queue is in neither time. */
function timingsObject(usage: GenerationUsage): object {
  const promptMs = Math.max(0, usage.ttftMs - usage.queueMs);
  const predictedMs = Math.max(0, usage.durationMs - usage.ttftMs);
  const computed = usage.promptTokens - usage.cachedTokens;
  return {
    ...{ cache_n: usage.cachedTokens, prompt_n: computed, prompt_ms: roundMs(promptMs) },
    prompt_per_second: perSecond(computed, promptMs),
    ...{ predicted_n: usage.completionTokens, predicted_ms: roundMs(predictedMs) },
    // The first token came with the prompt.
    predicted_per_second: perSecond(Math.max(0, usage.completionTokens - 1), predictedMs),
  };
}

function perSecond(tokens: number, ms: number): number {
  return ms > 0 ? Math.round((tokens / ms) * 100_000) / 100 : 0;
}

/** Changes whenever an answer may change for the same seed: another build or another model. */
export function fingerprintOf({ build, modelId, quantization }: EngineDescription): string {
  return `fp_${`${build}-${modelId}-${quantization}`.replace(/[^\w.-]+/g, "-")}`;
}
