/** What is to happen, by its time; what was said first comes first among things of one time. */
import type { Milliseconds } from "../contract/ids";
import type { Input } from "../topas/inputs";

export class Agenda {
  /** Latest first, so that the next one is at the end. */
  readonly #inputs: Input[] = [];

  get nextAtMs(): Milliseconds | null {
    return this.#inputs.at(-1)?.atMs ?? null;
  }

  add(input: Input): void {
    let [low, high] = [0, this.#inputs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#inputs[middle] as Input).atMs > input.atMs) low = middle + 1;
      else high = middle;
    }
    this.#inputs.splice(low, 0, input);
  }

  take(): Input | null {
    return this.#inputs.pop() ?? null;
  }
}
