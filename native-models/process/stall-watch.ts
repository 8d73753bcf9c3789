/** Notices that a process has not been heard of for too long, and that it is heard again. Ends nothing by itself. */
const CHECKS_PER_LIMIT = 5;

export class StallWatch {
  readonly #limitMs: number;
  readonly #tell: (isStalled: boolean) => void;
  readonly #timer: NodeJS.Timeout;
  #lastHeardAtMs = performance.now();
  #isStalled = false;

  constructor(limitMs: number, tell: (isStalled: boolean) => void) {
    this.#limitMs = limitMs;
    this.#tell = tell;
    // The second look, after waiting messages were read, keeps this process's own pauses from being taken for the other's.
    this.#timer = setInterval(
      () => this.#isLate && setImmediate(() => this.#isLate && this.#change(true)),
      limitMs / CHECKS_PER_LIMIT,
    );
    this.#timer.unref();
  }

  heard(): void {
    this.#lastHeardAtMs = performance.now();
    this.#change(false);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get #isLate(): boolean {
    return performance.now() - this.#lastHeardAtMs > this.#limitMs;
  }

  #change(isStalled: boolean): void {
    if (this.#isStalled === isStalled) return;
    this.#isStalled = isStalled;
    this.#tell(isStalled);
  }
}
