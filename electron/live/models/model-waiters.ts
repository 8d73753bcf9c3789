/** Who waits for a model that is not loaded, the oldest first, within a bound. */
import type { Milliseconds } from "../../../core/contract/ids";
import { isSame, type KnownModel, TooManyWait } from "./known-model";

interface Waiter<Value> {
  readonly model: KnownModel;
  readonly sinceMs: Milliseconds;
  resolve(value: Value): void;
  reject(error: Error): void;
}

export class ModelWaiters<Value> {
  #waiters: readonly Waiter<Value>[] = [];

  constructor(private readonly waitingMax: number) {}

  get oldest(): Pick<Waiter<Value>, "model" | "sinceMs"> | undefined {
    return this.#waiters[0];
  }

  countOf(model: KnownModel): number {
    return this.#waiters.filter((waiter) => isSame(waiter.model, model)).length;
  }

  /** Rejects with `TooManyWait`, or with the signal's reason once it gives up. */
  add(model: KnownModel, sinceMs: Milliseconds, signal: AbortSignal): Promise<Value> {
    if (this.#waiters.length >= this.waitingMax) {
      const message = `${this.#waiters.length} requests wait for another model, which is the limit. Try again later.`;
      return Promise.reject(new TooManyWait(message));
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal.reason);
      };
      const stopListening = () => signal.removeEventListener("abort", giveUp);
      const waiter: Waiter<Value> = {
        model,
        sinceMs,
        resolve(value) {
          stopListening();
          resolve(value);
        },
        reject(error) {
          stopListening();
          reject(error);
        },
      };
      this.#waiters = [...this.#waiters, waiter];
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** All that wait for this model, however late they came: they share one load. They wait no more. */
  take(model: KnownModel): readonly Waiter<Value>[] {
    const taken = this.#waiters.filter((waiter) => isSame(waiter.model, model));
    this.#waiters = this.#waiters.filter((waiter) => !isSame(waiter.model, model));
    return taken;
  }
}
