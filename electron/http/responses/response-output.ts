/** Makes the items of a response out of what its generation tells, and the events that tell of them. */
import type { TokenLogprob } from "../../../core/contract/engine";
import type { WrittenEvent } from "../generation/answer-writer";
import type { ChoiceFinished } from "../generation/generation-event";
import { ClientToolItem, CustomItem, FunctionItem } from "./call-items";
import { MessageItem } from "./message-item";
import type { ItemEvent, ItemStatus, OutputItem } from "./output-item";
import type { ResponseBody } from "./response-body";
import { ThoughtItem } from "./thought-item";

export class ResponseOutput {
  readonly #finished: object[] = [];
  #open: OutputItem | null = null;

  constructor(private readonly body: ResponseBody) {}

  /** Those that are whole, and the open one as it stands with `status`. */
  items(status: ItemStatus): object[] {
    return [...this.#finished, ...(this.#open === null ? [] : [this.#open.object(status)])];
  }

  take(event: Exclude<WrittenEvent, ChoiceFinished>): ItemEvent[] {
    switch (event.kind) {
      case "admitted":
        return [];
      case "reasoning":
        return this.#add(ThoughtItem, () => this.#thought(), event.text);
      case "text":
        return this.#add(MessageItem, () => new MessageItem(), event.text, event.logprobs);
      case "toolCallStart":
        return this.#begin(this.#call(event.id, event.name));
      case "toolCallArguments":
        return this.#placed(this.#openItem().add(event.delta));
      default:
        return event satisfies never;
    }
  }

  /** Ends the open item; `incomplete` where the answer was cut off in it. */
  close(status: Exclude<ItemStatus, "in_progress">): ItemEvent[] {
    const item = this.#open;
    if (item === null) return [];
    const events = this.#placed(item.finish());
    const object = item.object(status);
    const done = { type: "response.output_item.done", output_index: this.#finished.length, item: object };
    this.#finished.push(object);
    this.#open = null;
    return [...events, done];
  }

  #add(
    kind: typeof MessageItem | typeof ThoughtItem,
    make: () => OutputItem,
    text: string,
    logprobs?: readonly TokenLogprob[],
  ): ItemEvent[] {
    const begun = this.#open instanceof kind ? [] : this.#begin(make());
    return [...begun, ...this.#placed(this.#openItem().add(text, logprobs))];
  }

  #begin(item: OutputItem): ItemEvent[] {
    const before = this.close("completed");
    this.#open = item;
    const added = {
      type: "response.output_item.added",
      output_index: this.#finished.length,
      item: item.object("in_progress"),
    };
    return [...before, added, ...this.#placed(item.begin())];
  }

  #openItem(): OutputItem {
    if (this.#open === null) throw new Error("A piece of a call came before its start.");
    return this.#open;
  }

  #placed(events: readonly ItemEvent[]): ItemEvent[] {
    const place = { item_id: this.#open?.id, output_index: this.#finished.length };
    return events.map(({ type, ...members }) => ({ type, ...place, ...members }));
  }

  #thought(): ThoughtItem {
    return new ThoughtItem(this.body.wantsSummary, this.body.wantsSealedThoughts);
  }

  #call(callId: string, name: string): OutputItem {
    const kind = this.body.book.kindOf(name);
    switch (kind.kind) {
      case "function":
        return new FunctionItem(callId, kind);
      case "custom":
        return new CustomItem(callId, kind);
      case "client":
        return new ClientToolItem(callId, kind.tool);
      default:
        return kind satisfies never;
    }
  }
}
