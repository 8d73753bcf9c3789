/** Time that tests move by hand. */
import type { Timers } from "../../electron/live/timers";

export class HandTimers implements Timers {
  #nowMs = 0;
  #timers: { atMs: number; call: () => void }[] = [];

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Calls what is due on the way, in order. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#takeDue(untilMs); next !== undefined; next = this.#takeDue(untilMs)) {
      this.#nowMs = next.atMs;
      next.call();
    }
    this.#nowMs = untilMs;
  }

  #takeDue(untilMs: number) {
    const due = this.#timers.filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
    this.#timers = this.#timers.filter((timer) => timer !== due);
    return due;
  }
}
