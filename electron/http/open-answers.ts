/**
 * The answers that have not ended, and how a server comes to its end with them: it takes no more, lets the open ones finish
 * for a while, and tells the rest that it is closing.
 */
import type { FastifyInstance } from "fastify";
import type { RequestId } from "../../core/contract/ids";
import { ApiError } from "./api-error";

export interface OpenAnswer {
  /** Ends it with an error and frees what it holds. */
  stop(error: ApiError): void;
}

export class OpenAnswers {
  readonly #answers = new Map<RequestId, OpenAnswer>();
  #isDraining = false;
  #isClosed = false;
  #noneLeft: (() => void)[] = [];

  /** New requests are refused; the open ones go on. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  get size(): number {
    return this.#answers.size;
  }

  /** One whose body arrived only after the others were stopped is stopped at once. */
  set(requestId: RequestId, answer: OpenAnswer): void {
    this.#answers.set(requestId, answer);
    if (this.#isClosed) answer.stop(closing());
  }

  delete(requestId: RequestId): void {
    this.#answers.delete(requestId);
    if (this.#answers.size > 0) return;
    for (const tell of this.#noneLeft) tell();
    this.#noneLeft = [];
  }

  /** Resolves when the last one has ended, at the latest after `withinMs`. */
  async drain(withinMs: number): Promise<void> {
    this.#isDraining = true;
    if (this.#answers.size === 0 || withinMs <= 0) return;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, withinMs);
      this.#noneLeft.push(() => {
        clearTimeout(limit);
        resolve();
      });
    });
  }

  stopAll(): void {
    this.#isDraining = true;
    this.#isClosed = true;
    for (const answer of [...this.#answers.values()]) answer.stop(closing());
  }
}

/** Routes that begin work for the engine. Looking, cancelling and the user's acts stay possible to the end. */
const working = /\/(chat\/completions|completions|embeddings|responses|messages)$/;

/** Before the body is read: it may be large, and nothing in it can matter. */
export function refuseWhileDraining(app: FastifyInstance, openAnswers: OpenAnswers): void {
  app.addHook("onRequest", async (request) => {
    if (!openAnswers.isDraining || request.method !== "POST") return;
    if (working.test(request.routeOptions.url ?? "")) throw closing({ connection: "close" });
  });
}

function closing(headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError("shutting_down", "The server is closing. Try again later.", { headers });
}
