/** The JSON objects of a completion, whole and in chunks. Builds them only; writes nothing. */
import type { TokenLogprob } from "../../../core/contract/engine";
import type { RequestId } from "../../../core/contract/ids";
import { finite, textOfBytes } from "../chat/chat-logprobs";
import { accountOf, usageObject } from "../chat/usage-object";
import type { GenerationUsage } from "../generation/generation-event";
import type { CompletionBody } from "./completion-body";

/** What all chunks of one answer have in common. */
export interface CompletionHead {
  readonly requestId: RequestId;
  readonly created: number;
  readonly model: string;
  readonly fingerprint: string;
  readonly includeUsage: boolean;
  readonly includeLogprobs: boolean;
  /** What each choice begins with: its prompt where `echo` was asked for. */
  readonly echoes: readonly string[];
}

export function completionHead(
  requestId: RequestId,
  { model, includeUsage, sampling }: CompletionBody,
  fingerprint: string,
  echoes: readonly string[],
): CompletionHead {
  const created = Math.floor(Date.now() / 1000);
  const includeLogprobs = sampling.topLogprobs !== undefined;
  return { requestId, created, model, fingerprint, includeUsage, includeLogprobs, echoes };
}

export interface CompletionChoice {
  readonly text: string;
  readonly index: number;
  readonly logprobs: object | null;
  readonly finish_reason: "stop" | "length" | null;
}

export function completionObject(head: CompletionHead, choices: readonly CompletionChoice[], more: object): object {
  return {
    id: `cmpl-${head.requestId}`,
    object: "text_completion",
    created: head.created,
    model: head.model,
    system_fingerprint: head.fingerprint,
    choices,
    ...more,
  };
}

export function withUsage(head: CompletionHead, usage: GenerationUsage): object {
  return { usage: usageObject(usage), ...accountOf(head.requestId, usage) };
}

/** Log probabilities as completions show them; `offset`: characters of the choice before them. */
export function completionLogprobs(logprobs: readonly TokenLogprob[], offset: number): object {
  const texts = logprobs.map(({ bytes }) => textOfBytes(bytes));
  const offsets = texts.map((_, index) => offset + texts.slice(0, index).join("").length);
  return {
    tokens: texts,
    token_logprobs: logprobs.map(({ logprob }) => finite(logprob)),
    top_logprobs: logprobs.map(({ top }) =>
      Object.fromEntries(top.map(({ bytes, logprob }) => [textOfBytes(bytes), finite(logprob)])),
    ),
    text_offset: offsets,
  };
}
