/**
 * What happens to a generation, in words that belong to no API. `accepted` comes once, when all its requests were taken;
 * then for each choice `admitted`, pieces, and one `finished`; `ended` behind all of them, or `failed` at any time.
 */
import type { TokenLogprob } from "../../../core/contract/engine";
import type { RequestUsage } from "../../live/live";
import type { ApiError } from "../api-error";

/** Of an answer; `choice` counts from 0. Thoughts come first, then content, then calls. */
export type GenerationPiece =
  | {
      readonly kind: "text";
      readonly choice: number;
      readonly text: string;
      /** Of the tokens that the text is made of, if they were asked for. */
      readonly logprobs?: readonly TokenLogprob[];
    }
  | { readonly kind: "reasoning"; readonly choice: number; readonly text: string }
  /** `index` counts the calls of one answer from 0. */
  | {
      readonly kind: "toolCallStart";
      readonly choice: number;
      readonly index: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly kind: "toolCallArguments"; readonly choice: number; readonly index: number; readonly delta: string };

export type GenerationFinish = "stop" | "length" | "tool_calls";

export interface ChoiceFinished {
  readonly kind: "finished";
  readonly choice: number;
  readonly reason: GenerationFinish;
  /** The stop text that ended it, if one did. */
  readonly stopText: string | null;
  readonly usage: GenerationUsage;
}

export type GenerationEvent =
  | { readonly kind: "accepted" }
  | { readonly kind: "admitted"; readonly choice: number }
  | GenerationPiece
  | ChoiceFinished
  /** All choices have finished: each prompt counted once, the answers together. */
  | { readonly kind: "ended"; readonly usage: GenerationUsage }
  /** Refused, failed or cancelled; nothing follows. */
  | { readonly kind: "failed"; readonly error: ApiError };

export interface GenerationUsage extends RequestUsage {
  /** Tokens of the answer that were thought and not said, as far as they can be told apart. */
  readonly reasoningTokens: number;
}
