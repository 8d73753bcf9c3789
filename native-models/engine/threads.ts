/**
 * How many threads a batch gets: as many as were fastest when they were measured, fewer while other programs need the
 * cores. llama.cpp's threads spin while they wait for each other, so one that loses its core makes a batch many times
 * slower than fewer threads would be.
 */
export interface MeasuredThreads {
  readonly threads: number;
  readonly prefillMsPerToken: number;
  /** Entry n-1 = a decode step with n running sequences. */
  readonly stepMs: readonly number[];
}

/** A batch this much slower than measured was held up by others; long contexts alone do not make that much. */
const CROWDED_FACTOR = 2.5;
const HOLD_MS_MIN = 2000;
const HOLD_MS_MAX = 60_000;

export class Threads {
  readonly prefill: number;
  /** Entry n-1 = threads for a decode step with n running sequences. */
  readonly decode: readonly number[];
  /** What was measured, by rising number of threads. */
  readonly #measured: readonly MeasuredThreads[];
  #limit = Number.POSITIVE_INFINITY;
  #limitEndsAtMs = 0;
  #holdMs = HOLD_MS_MIN;

  constructor(prefill: number, decode: readonly number[], measured: readonly MeasuredThreads[] = []) {
    this.prefill = prefill;
    this.decode = decode;
    this.#measured = measured;
  }

  static fixed(threads: number, slots: number): Threads {
    const decode = Array.from({ length: slots }, () => threads);
    return new Threads(threads, decode);
  }

  forBatch(tokenCount: number, sequences: number, nowMs: number): number {
    const best = tokenCount > sequences ? this.prefill : (this.decode[sequences - 1] ?? this.prefill);
    if (nowMs >= this.#limitEndsAtMs) this.#limit = Number.POSITIVE_INFINITY;
    return Math.min(best, this.#limit);
  }

  /** Tells how long a batch took; one that was crowded out lowers the limit for a while, longer each time. */
  observe(threads: number, tokenCount: number, sequences: number, durationMs: number, nowMs: number): void {
    const index = this.#measured.findIndex((entry) => entry.threads === threads);
    const [measured, fewer] = [this.#measured[index], this.#measured[index - 1]];
    if (!measured || !fewer) return;
    const stepMs = measured.stepMs[sequences - 1] ?? 0;
    const expectedMs = tokenCount > sequences ? tokenCount * measured.prefillMsPerToken + stepMs : stepMs;
    if (durationMs <= CROWDED_FACTOR * expectedMs) {
      if (nowMs > this.#limitEndsAtMs + this.#holdMs) this.#holdMs = HOLD_MS_MIN;
      return;
    }
    this.#limit = fewer.threads;
    this.#limitEndsAtMs = nowMs + this.#holdMs;
    this.#holdMs = Math.min(HOLD_MS_MAX, this.#holdMs * 2);
  }
}
