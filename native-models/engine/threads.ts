/** How many threads a batch gets: many for pieces of prompts, fewer for decode steps, as measured on this machine. */
export class Threads {
  constructor(
    readonly prefill: number,
    /** Entry n-1 = threads for a decode step with n running sequences. */
    readonly decode: readonly number[],
  ) {}

  static fixed(threads: number, slots: number): Threads {
    return new Threads(
      threads,
      Array.from({ length: slots }, () => threads),
    );
  }

  forBatch(tokenCount: number, sequences: number): number {
    return tokenCount > sequences ? this.prefill : (this.decode[sequences - 1] ?? this.prefill);
  }
}
