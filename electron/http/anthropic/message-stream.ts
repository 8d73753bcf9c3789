/**
 * Writes a generation as the events of Anthropic's Messages API:
 *
 *   message_start, then per block content_block_start, content_block_delta*, content_block_stop, then message_delta with
 *   the reason and the usage, then message_stop. `ping` stands for silence, before message_start as well.
 */
import type { ApiError } from "../api-error";
import { type StreamWriter, sseData, type WrittenEvent } from "../generation/answer-writer";
import type { ChoiceFinished, GenerationUsage } from "../generation/generation-event";
import { anthropicError } from "./anthropic-error";
import {
  type ContentBlock,
  deltaUsage,
  type MessageEnd,
  type MessageHead,
  messageEnd,
  messageObject,
  messageUsage,
  type PromptUsage,
} from "./message-objects";
import { signatureOf } from "./thinking";

export class MessageStream implements StreamWriter {
  readonly kind = "stream";
  #started = false;
  /** Counts the blocks; the open one has the number before it. */
  #blocks = 0;
  #open: ContentBlock["type"] | null = null;
  #thought = "";
  #end: MessageEnd = { stop_reason: "end_turn", stop_sequence: null };

  /** `promptUsage` is asked once, when the request has been admitted. */
  constructor(
    private readonly head: MessageHead,
    private readonly requestId: string,
    private readonly promptUsage: () => PromptUsage,
  ) {}

  open(): string {
    return "";
  }

  write(event: WrittenEvent): string {
    return event.kind === "finished" ? this.#finish(event) : this.#start() + this.#piece(event);
  }

  end(usage: GenerationUsage): string {
    return [
      this.#start(),
      this.#closeBlock(),
      named("message_delta", {
        delta: { ...this.#end, stop_details: null, container: null },
        usage: deltaUsage(usage),
      }),
      named("message_stop", {}),
    ].join("");
  }

  fail(error: ApiError): string {
    return sseData(anthropicError(error, this.requestId), "error");
  }

  keepAlive(): string {
    return named("ping", {});
  }

  #start(): string {
    if (this.#started) return "";
    this.#started = true;
    // One token, as Anthropic's: the first one is on its way, and what counts comes with message_delta.
    const message = messageObject(this.head, [], null, messageUsage(this.promptUsage(), 1, 0));
    return named("message_start", { message });
  }

  #piece(event: Exclude<WrittenEvent, ChoiceFinished>): string {
    switch (event.kind) {
      case "admitted":
        return "";
      case "reasoning":
        this.#thought += event.text;
        return this.#inBlock({ type: "thinking", thinking: "", signature: "" }) + this.#delta("thinking", event.text);
      case "text":
        return this.#inBlock({ type: "text", text: "", citations: null }) + this.#delta("text", event.text);
      case "toolCallStart": {
        const { id, name } = event;
        return this.#openBlock({ type: "tool_use", id, name, input: {}, caller: { type: "direct" } });
      }
      case "toolCallArguments":
        return this.#delta("input_json", event.delta);
      default:
        return event satisfies never;
    }
  }

  #finish(event: ChoiceFinished): string {
    this.#end = messageEnd(event);
    return "";
  }

  #inBlock(block: ContentBlock): string {
    return this.#open === block.type ? "" : this.#openBlock(block);
  }

  #openBlock(block: ContentBlock): string {
    const before = this.#closeBlock();
    this.#open = block.type;
    this.#blocks += 1;
    return before + named("content_block_start", { index: this.#blocks - 1, content_block: block });
  }

  #closeBlock(): string {
    if (this.#open === null) return "";
    const index = this.#blocks - 1;
    const signature = this.#open === "thinking" ? this.#signature() : "";
    this.#open = null;
    return signature + named("content_block_stop", { index });
  }

  #signature(): string {
    const delta = { type: "signature_delta", signature: signatureOf(this.#thought) };
    this.#thought = "";
    return named("content_block_delta", { index: this.#blocks - 1, delta });
  }

  #delta(kind: "thinking" | "text" | "input_json", text: string): string {
    const delta = { type: `${kind}_delta`, [kind === "input_json" ? "partial_json" : kind]: text };
    return named("content_block_delta", { index: this.#blocks - 1, delta });
  }
}

/** The name stands on the event and in its data. */
function named(type: string, members: object): string {
  return sseData({ type, ...members }, type);
}
