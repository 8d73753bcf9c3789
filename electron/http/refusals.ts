/** Requests that never became the scheduler's, and why, so that `explain` can answer for them. Keeps the newest only. */
import type { RequestId } from "../../core/contract/ids";
import type { ApiError } from "./api-error";

export const refusalsMax = 1000;

export class Refusals {
  readonly #errors = new Map<RequestId, ApiError>();

  note(requestId: RequestId, error: ApiError): void {
    this.#errors.delete(requestId);
    this.#errors.set(requestId, error);
    if (this.#errors.size <= refusalsMax) return;
    for (const oldest of this.#errors.keys()) {
      this.#errors.delete(oldest);
      return;
    }
  }

  find(requestId: RequestId): ApiError | null {
    return this.#errors.get(requestId) ?? null;
  }
}
