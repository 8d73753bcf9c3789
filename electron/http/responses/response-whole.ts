/** Collects a generation into one Response object. */
import type { ApiError } from "../api-error";
import type { WholeWriter, WrittenEvent } from "../generation/answer-writer";
import type { GenerationUsage } from "../generation/generation-event";
import type { ResponseMaker } from "./response-maker";
import type { ResponseObject } from "./response-object";

export class ResponseWhole implements WholeWriter {
  readonly kind = "whole";

  constructor(
    private readonly maker: ResponseMaker,
    /** Hears the response when it has ended, however it did. */
    private readonly onEnd: (response: ResponseObject) => void,
  ) {}

  take(event: WrittenEvent): void {
    this.maker.take(event);
  }

  body(usage: GenerationUsage): object {
    const { response } = this.maker.end(usage);
    this.onEnd(response);
    return response;
  }

  /** The status 200 is out by then, so that the failure has to be told as the API does: in the response. */
  fail(error: ApiError): object {
    const response = this.maker.fail(error);
    this.onEnd(response);
    return response;
  }
}
