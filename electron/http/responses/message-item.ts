/** What the assistant says, as an item with one text. */
import type { TokenLogprob } from "../../../core/contract/engine";
import { type ItemEvent, type ItemStatus, mintId, type OutputItem } from "./output-item";
import { logprobObject } from "./output-logprobs";

export class MessageItem implements OutputItem {
  readonly id = mintId("msg");
  #text = "";
  readonly #logprobs: object[] = [];

  begin(): ItemEvent[] {
    return [{ type: "response.content_part.added", content_index: 0, part: outputText("", []) }];
  }

  add(text: string, logprobs: readonly TokenLogprob[] = []): ItemEvent[] {
    this.#text += text;
    const objects = logprobs.map(logprobObject);
    this.#logprobs.push(...objects);
    return [{ type: "response.output_text.delta", content_index: 0, delta: text, logprobs: objects }];
  }

  finish(): ItemEvent[] {
    const logprobs = this.#logprobs;
    return [
      { type: "response.output_text.done", content_index: 0, text: this.#text, logprobs },
      { type: "response.content_part.done", content_index: 0, part: outputText(this.#text, logprobs) },
    ];
  }

  object(status: ItemStatus): object {
    const content = status === "in_progress" ? [] : [outputText(this.#text, this.#logprobs)];
    return { id: this.id, type: "message", status, role: "assistant", content };
  }
}

function outputText(text: string, logprobs: readonly object[]): object {
  return { type: "output_text", annotations: [], logprobs, text };
}
