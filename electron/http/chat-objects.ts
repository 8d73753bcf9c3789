/** The JSON objects of a chat completion, whole and in chunks. Builds them only; writes nothing. */
import type { FinishReason } from "../../core/topas/events";
import type { RequestUsage } from "../live/live";
import type { ChatBody } from "./chat-body";
import type { Piece } from "./reasoning";
import { roundMs } from "./round-ms";

/** What all chunks of one answer have in common. */
export interface ChatHead {
  readonly requestId: string;
  readonly created: number;
  readonly model: string;
  readonly includeUsage: boolean;
  readonly echo: ChatBody["echo"];
}

export function chatHead(requestId: string, body: ChatBody): ChatHead {
  const created = Math.floor(Date.now() / 1000);
  return { requestId, created, model: body.model, includeUsage: body.includeUsage, echo: body.echo };
}

interface Delta {
  readonly role?: "assistant";
  readonly content?: string;
  readonly reasoning_content?: string;
}

export function deltaOf({ kind, text }: Piece): Delta {
  return kind === "reasoning" ? { reasoning_content: text } : { content: text };
}

export function chunk(head: ChatHead, delta: Delta, finishReason: string | null = null): object {
  return {
    ...common(head, "chat.completion.chunk"),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...noUsage(head),
  };
}

/** The chunk that `include_usage` asks for, behind the one with the finish reason. */
export function usageChunk(head: ChatHead, usage: RequestUsage): object {
  return {
    ...common(head, "chat.completion.chunk"),
    choices: [],
    usage: usageObject(usage),
    topas: topasObject(head, usage),
  };
}

export function finishChunk(head: ChatHead, reason: FinishReason, usage: RequestUsage): object {
  const last = chunk(head, {}, finishReason(reason));
  return head.includeUsage ? last : { ...last, topas: topasObject(head, usage) };
}

export function completion(
  head: ChatHead,
  pieces: readonly Piece[],
  reason: FinishReason,
  usage: RequestUsage,
): object {
  const reasoning = textOf(pieces, "reasoning");
  const message = {
    role: "assistant",
    content: textOf(pieces, "content"),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    refusal: null,
  };
  return {
    ...common(head, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(reason) }],
    usage: usageObject(usage),
    ...head.echo,
    topas: topasObject(head, usage),
  };
}

function common(head: ChatHead, object: string): object {
  const { service_tier } = head.echo;
  return {
    id: `chatcmpl-${head.requestId}`,
    object,
    created: head.created,
    model: head.model,
    ...(service_tier === undefined ? {} : { service_tier }),
  };
}

function noUsage({ includeUsage }: ChatHead): object {
  return includeUsage ? { usage: null } : {};
}

function textOf(pieces: readonly Piece[], kind: Piece["kind"]): string {
  return pieces.map((piece) => (piece.kind === kind ? piece.text : "")).join("");
}

function finishReason(reason: FinishReason): "stop" | "length" {
  switch (reason) {
    case "end_of_sequence":
    case "stop_text":
      return "stop";
    case "length":
      return "length";
    default:
      return reason satisfies never;
  }
}

function usageObject(usage: RequestUsage): object {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
  };
}

function topasObject({ requestId }: ChatHead, usage: RequestUsage): object {
  return { request_id: requestId, queue_ms: roundMs(usage.queueMs), ttft_ms: roundMs(usage.ttftMs) };
}
