/** What is wrong with something read from a file, and where in it. */
export interface Problem {
  /** E.g. `workflows[0].stages[2].after[1]`; empty for the whole. */
  readonly path: string;
  /** A sentence. */
  readonly message: string;
}
