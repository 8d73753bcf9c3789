/** The JSON objects of a chat completion, whole and in chunks. Builds them only; writes nothing. */
import type { TokenLogprob } from "../../../core/contract/engine";
import type { RequestId } from "../../../core/contract/ids";
import type { WrittenEvent } from "../generation/answer-writer";
import type { ChoiceFinished, GenerationPiece, GenerationUsage } from "../generation/generation-event";
import type { ChatBody } from "./chat-body";
import { logprobsObject } from "./chat-logprobs";
import { accountOf, usageObject } from "./usage-object";

/** What all chunks of one answer have in common. */
export interface ChatHead {
  readonly requestId: RequestId;
  readonly created: number;
  readonly model: string;
  readonly choices: number;
  readonly includeUsage: boolean;
  readonly includeLogprobs: boolean;
  readonly fingerprint: string;
  readonly echo: ChatBody["echo"];
}

export function chatHead(requestId: RequestId, body: ChatBody, fingerprint: string): ChatHead {
  const created = Math.floor(Date.now() / 1000);
  const { model, choices, includeUsage, echo } = body;
  const includeLogprobs = body.sampling.topLogprobs !== undefined;
  return { requestId, created, model, choices, includeUsage, includeLogprobs, fingerprint, echo };
}

interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: "function";
  readonly function: { readonly name?: string; readonly arguments: string };
}

interface Delta {
  readonly role?: "assistant";
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ToolCallDelta[];
}

export function chunk(head: ChatHead, index: number, delta: Delta, logprobs: object | null = null): object {
  return {
    ...common(head, "chat.completion.chunk"),
    choices: [{ index, delta, logprobs, finish_reason: null }],
    ...noUsage(head),
  };
}

export function pieceChunk(head: ChatHead, piece: GenerationPiece): object {
  const logprobs = piece.kind === "text" && head.includeLogprobs ? logprobsObject(piece.logprobs ?? []) : null;
  return chunk(head, piece.choice, deltaOf(piece), logprobs);
}

function deltaOf(piece: GenerationPiece): Delta {
  switch (piece.kind) {
    case "text":
      return { content: piece.text };
    case "reasoning":
      return { reasoning_content: piece.text };
    case "toolCallStart": {
      const { index, id, name } = piece;
      return { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] };
    }
    case "toolCallArguments":
      return { tool_calls: [{ index: piece.index, function: { arguments: piece.delta } }] };
    default:
      return piece satisfies never;
  }
}

export function finishChunk(head: ChatHead, { choice, reason, usage }: ChoiceFinished): object {
  return {
    ...common(head, "chat.completion.chunk"),
    choices: [{ index: choice, delta: {}, logprobs: null, finish_reason: reason }],
    ...noUsage(head),
    ...(head.includeUsage ? {} : accountOf(head.requestId, usage)),
  };
}

/** The chunk that `include_usage` asks for, behind those with the finish reasons. */
export function usageChunk(head: ChatHead, usage: GenerationUsage): object {
  return {
    ...common(head, "chat.completion.chunk"),
    choices: [],
    usage: usageObject(usage),
    ...accountOf(head.requestId, usage),
  };
}

interface WholeCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
}

/** One choice of a whole answer, put together from its pieces. */
export class ChatChoice {
  #content = "";
  #reasoning = "";
  readonly #calls: WholeCall[] = [];
  readonly #logprobs: TokenLogprob[] = [];
  #finish: ChoiceFinished["reason"] = "stop";

  constructor(private readonly index: number) {}

  take(event: WrittenEvent): void {
    switch (event.kind) {
      case "admitted":
        return;
      case "text":
        this.#content += event.text;
        this.#logprobs.push(...(event.logprobs ?? []));
        return;
      case "reasoning":
        this.#reasoning += event.text;
        return;
      case "toolCallStart":
        this.#calls.push({ id: event.id, name: event.name, arguments: "" });
        return;
      case "toolCallArguments": {
        const call = this.#calls[event.index];
        if (call) call.arguments += event.delta;
        return;
      }
      case "finished":
        this.#finish = event.reason;
        return;
      default:
        return event satisfies never;
    }
  }

  object(includeLogprobs: boolean): object {
    const calls = this.#calls.map(({ id, name, arguments: text }) => ({
      id,
      type: "function",
      function: { name, arguments: text },
    }));
    const message = {
      role: "assistant",
      // A turn of calls alone has no content in OpenAI's answers.
      content: calls.length > 0 && this.#content === "" ? null : this.#content,
      ...(this.#reasoning === "" ? {} : { reasoning_content: this.#reasoning }),
      refusal: null,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const logprobs = includeLogprobs ? logprobsObject(this.#logprobs) : null;
    return { index: this.index, message, logprobs, finish_reason: this.#finish };
  }
}

export function completion(head: ChatHead, choices: readonly ChatChoice[], usage: GenerationUsage): object {
  return {
    ...common(head, "chat.completion"),
    choices: choices.map((choice) => choice.object(head.includeLogprobs)),
    usage: usageObject(usage),
    ...head.echo,
    ...accountOf(head.requestId, usage),
  };
}

function common(head: ChatHead, object: string): object {
  const { service_tier } = head.echo;
  return {
    id: `chatcmpl-${head.requestId}`,
    object,
    created: head.created,
    model: head.model,
    system_fingerprint: head.fingerprint,
    ...(service_tier === undefined ? {} : { service_tier }),
  };
}

function noUsage({ includeUsage }: ChatHead): object {
  return includeUsage ? { usage: null } : {};
}
