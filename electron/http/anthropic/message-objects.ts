/** The JSON objects of Anthropic's Messages API: the message, its usage, why it ended. Builds them only; writes nothing. */
import type { ChoiceFinished, GenerationUsage } from "../generation/generation-event";

/** What is the same in all of one answer. */
export interface MessageHead {
  readonly messageId: string;
  readonly model: string;
}

export type ContentBlock =
  | { readonly type: "text"; readonly text: string; readonly citations: null }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly caller: { readonly type: "direct" };
    };

export interface MessageEnd {
  readonly stop_reason: "end_turn" | "max_tokens" | "stop_sequence" | "tool_use";
  readonly stop_sequence: string | null;
}

/** Of a prompt, as far as it is known when the request is admitted. */
export type PromptUsage = Pick<GenerationUsage, "promptTokens" | "cachedTokens">;

export function messageObject(
  { messageId, model }: MessageHead,
  content: readonly ContentBlock[],
  end: MessageEnd | null,
  usage: object,
): object {
  return {
    id: messageId,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: end?.stop_reason ?? null,
    stop_sequence: end?.stop_sequence ?? null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage,
  };
}

export function messageEnd({ reason, stopText }: Pick<ChoiceFinished, "reason" | "stopText">): MessageEnd {
  switch (reason) {
    case "tool_calls":
      return { stop_reason: "tool_use", stop_sequence: null };
    case "length":
      return { stop_reason: "max_tokens", stop_sequence: null };
    case "stop":
      return stopText === null
        ? { stop_reason: "end_turn", stop_sequence: null }
        : { stop_reason: "stop_sequence", stop_sequence: stopText };
    default:
      return reason satisfies never;
  }
}

/**
 * Here `input_tokens` are those that had to be computed; those out of the KV cache are counted apart. Nothing is ever
 * written to a cache that costs more, so nothing counts as its creation.
 */
export function tokenUsage({ promptTokens, cachedTokens }: PromptUsage, outputTokens: number): object {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
  };
}

/** The usage of a whole message has more members than that of an event. */
export function messageUsage(prompt: PromptUsage, outputTokens: number, thinkingTokens: number): object {
  return {
    ...tokenUsage(prompt, outputTokens),
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens_details: { thinking_tokens: thinkingTokens },
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: null,
    speed: null,
  };
}

export function deltaUsage(usage: GenerationUsage): object {
  return {
    ...tokenUsage(usage, usage.completionTokens),
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
    server_tool_use: null,
  };
}
