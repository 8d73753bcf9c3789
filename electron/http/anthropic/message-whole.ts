/** Collects a generation into one message of Anthropic's API. */
import type { ApiError } from "../api-error";
import type { WholeWriter, WrittenEvent } from "../generation/answer-writer";
import type { GenerationUsage } from "../generation/generation-event";
import { anthropicError } from "./anthropic-error";
import {
  type ContentBlock,
  type MessageEnd,
  type MessageHead,
  messageEnd,
  messageObject,
  messageUsage,
} from "./message-objects";
import { signatureOf } from "./thinking";

interface OpenBlock {
  readonly type: ContentBlock["type"];
  /** Of a tool call. */
  readonly id: string;
  readonly name: string;
  text: string;
}

export class MessageWhole implements WholeWriter {
  readonly kind = "whole";
  readonly #blocks: OpenBlock[] = [];
  #end: MessageEnd = { stop_reason: "end_turn", stop_sequence: null };

  constructor(
    private readonly head: MessageHead,
    private readonly requestId: string,
  ) {}

  take(event: WrittenEvent): void {
    switch (event.kind) {
      case "admitted":
        return;
      case "reasoning":
        return this.#add("thinking", event.text);
      case "text":
        return this.#add("text", event.text);
      case "toolCallStart":
        this.#blocks.push({ type: "tool_use", id: event.id, name: event.name, text: "" });
        return;
      case "toolCallArguments":
        return this.#add("tool_use", event.delta);
      case "finished":
        this.#end = messageEnd(event);
        return;
      default:
        return event satisfies never;
    }
  }

  body(usage: GenerationUsage): object {
    const { completionTokens, reasoningTokens } = usage;
    return messageObject(
      this.head,
      this.#blocks.map(blockObject),
      this.#end,
      messageUsage(usage, completionTokens, reasoningTokens),
    );
  }

  fail(error: ApiError): object {
    return anthropicError(error, this.requestId);
  }

  #add(type: OpenBlock["type"], text: string): void {
    const last = this.#blocks.at(-1);
    if (last?.type === type) last.text += text;
    else this.#blocks.push({ type, id: "", name: "", text });
  }
}

function blockObject({ type, id, name, text }: OpenBlock): ContentBlock {
  switch (type) {
    case "text":
      return { type, text, citations: null };
    case "thinking":
      return { type, thinking: text, signature: signatureOf(text) };
    case "tool_use":
      return { type, id, name, input: inputOf(text), caller: { type: "direct" } };
    default:
      return type satisfies never;
  }
}

/** A call that was cut off at the length limit is no JSON; `stop_reason` tells that it must not be run. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return {};
  }
}
