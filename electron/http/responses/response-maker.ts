/** One response while it is made: its items, how it ends, and its object at any time. Both ways to send it use this. */
import type { ApiError } from "../api-error";
import type { WrittenEvent } from "../generation/answer-writer";
import type { GenerationUsage } from "../generation/generation-event";
import type { ItemEvent } from "./output-item";
import { type ResponseHead, type ResponseObject, responseObject } from "./response-object";
import { ResponseOutput } from "./response-output";

export class ResponseMaker {
  readonly #output: ResponseOutput;
  #cutOff = false;

  constructor(private readonly head: ResponseHead) {
    this.#output = new ResponseOutput(head.body);
  }

  take(event: WrittenEvent): ItemEvent[] {
    if (event.kind !== "finished") return this.#output.take(event);
    this.#cutOff = event.reason === "length";
    return this.#output.close(this.#cutOff ? "incomplete" : "completed");
  }

  end(usage: GenerationUsage): { readonly events: readonly ItemEvent[]; readonly response: ResponseObject } {
    const events = this.#output.close("completed");
    const output = this.#output.items("completed");
    const status = this.#cutOff ? "incomplete" : "completed";
    return { events, response: responseObject(this.head, { status, output, usage, error: null }) };
  }

  fail(error: ApiError): ResponseObject {
    return responseObject(this.head, {
      status: "failed",
      output: this.#output.items("incomplete"),
      usage: null,
      error,
    });
  }

  cancelled(): ResponseObject {
    const output = this.#output.items("incomplete");
    return responseObject(this.head, { status: "cancelled", output, usage: null, error: null });
  }

  response(status: "queued" | "in_progress"): ResponseObject {
    const output = this.#output.items("in_progress");
    return responseObject(this.head, { status, output, usage: null, error: null });
  }
}
