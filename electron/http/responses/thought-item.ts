/** What the assistant thinks, as its own text or as a summary, which some clients show while they hide the text. */
import { type ItemEvent, type ItemStatus, mintId, type OutputItem } from "./output-item";
import { sealThought } from "./sealed-thought";

export class ThoughtItem implements OutputItem {
  readonly id = mintId("rs");
  #text = "";

  constructor(
    private readonly asSummary: boolean,
    private readonly sealed: boolean,
  ) {}

  begin(): ItemEvent[] {
    if (!this.asSummary) return [{ type: "response.content_part.added", content_index: 0, part: reasoningText("") }];
    return [{ type: "response.reasoning_summary_part.added", summary_index: 0, part: summaryText("") }];
  }

  add(text: string): ItemEvent[] {
    this.#text += text;
    return [
      this.asSummary
        ? { type: "response.reasoning_summary_text.delta", summary_index: 0, delta: text }
        : { type: "response.reasoning_text.delta", content_index: 0, delta: text },
    ];
  }

  finish(): ItemEvent[] {
    const text = this.#text;
    if (!this.asSummary) {
      return [
        { type: "response.reasoning_text.done", content_index: 0, text },
        { type: "response.content_part.done", content_index: 0, part: reasoningText(text) },
      ];
    }
    return [
      { type: "response.reasoning_summary_text.done", summary_index: 0, text },
      { type: "response.reasoning_summary_part.done", summary_index: 0, part: summaryText(text) },
    ];
  }

  object(status: ItemStatus): object {
    const begun = status !== "in_progress";
    return {
      id: this.id,
      type: "reasoning",
      status,
      summary: begun && this.asSummary ? [summaryText(this.#text)] : [],
      ...(this.asSummary ? {} : { content: begun ? [reasoningText(this.#text)] : [] }),
      ...(this.sealed && begun ? { encrypted_content: sealThought(this.#text) } : {}),
    };
  }
}

function reasoningText(text: string): object {
  return { type: "reasoning_text", text };
}

function summaryText(text: string): object {
  return { type: "summary_text", text };
}
