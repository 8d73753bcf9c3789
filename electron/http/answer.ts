/** An answer on its way to one client: hears the request's updates and writes them, streamed or whole. */
import type { RequestUpdate } from "../live/live";
import type { ApiError } from "./api-error";

export interface Answer {
  readonly hear: (update: RequestUpdate) => void;
  /** The request was taken: a stream opens now. Nothing happens if it was refused meanwhile. */
  accept(): void;
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
