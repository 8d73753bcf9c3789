/** An answer on its way to one client: hears what happens to its generation and writes it, streamed or whole. */
import type { ApiError } from "../api-error";
import type { GenerationEvent } from "./generation-event";

export interface Answer {
  readonly hear: (event: GenerationEvent) => void;
  /** A plain HTTP error while nothing was sent, else an error inside the open answer. */
  fail(error: ApiError): void;
  /** The client hung up: stop writing. */
  abandon(): void;
  readonly ended: boolean;
  /** Resolves with the body still to be sent, or null when everything went out already. Rejects with an `ApiError`. */
  readonly done: Promise<object | null>;
}

/** The settled-once promise that both kinds of answer end with. */
export class Ending {
  readonly promise: Promise<object | null>;
  resolve: (body: object | null) => void = () => {};
  reject: (error: ApiError) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // It may end before anybody waits for it; whoever waits still gets the error.
    this.promise.catch(() => {});
  }
}
