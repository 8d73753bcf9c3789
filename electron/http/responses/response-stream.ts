/**
 * Writes a generation as the events of the Responses API, numbered from 0 without a gap:
 *
 *   response.created, response.in_progress, then per item output_item.added … output_item.done, then one of
 *   response.completed, response.incomplete and response.failed. No [DONE]: the API has none.
 */
import type { ApiError } from "../api-error";
import {
  type AnswerPhase,
  type StreamWriter,
  sseComment,
  sseData,
  type WrittenEvent,
} from "../generation/answer-writer";
import type { GenerationUsage } from "../generation/generation-event";
import type { ItemEvent } from "./output-item";
import type { ResponseMaker } from "./response-maker";
import type { ResponseObject } from "./response-object";

export class ResponseStream implements StreamWriter {
  readonly kind = "stream";
  #next = 0;
  #begun = false;

  constructor(
    private readonly maker: ResponseMaker,
    /** Hears the response when it has ended, however it did. */
    private readonly onEnd: (response: ResponseObject) => void,
  ) {}

  open(): string {
    if (this.#begun) return "";
    this.#begun = true;
    const response = this.maker.response("in_progress");
    return this.#text([
      { type: "response.created", response },
      { type: "response.in_progress", response },
    ]);
  }

  write(event: WrittenEvent): string {
    return this.open() + this.#text(this.maker.take(event));
  }

  end(usage: GenerationUsage): string {
    const before = this.open();
    const { events, response } = this.maker.end(usage);
    return before + this.#text(events) + this.#last(response);
  }

  fail(error: ApiError): string {
    return this.open() + this.#last(this.maker.fail(error));
  }

  keepAlive(phase: AnswerPhase): string {
    return sseComment(phase);
  }

  #last(response: ResponseObject): string {
    this.onEnd(response);
    return this.#text([{ type: `response.${response.status}`, response }]);
  }

  #text(events: readonly ItemEvent[]): string {
    return events
      .map(({ type, ...members }) => sseData({ type, sequence_number: this.#next++, ...members }, type))
      .join("");
  }
}
