/** Finds marks in a text that comes in pieces. */

export interface FoundMark {
  readonly mark: string;
  readonly at: number;
}

export function firstMark(text: string, marks: readonly string[]): FoundMark | null {
  let first: FoundMark | null = null;
  for (const mark of marks) {
    const at = text.indexOf(mark);
    if (at !== -1 && (first === null || at < first.at)) first = { mark, at };
  }
  return first;
}

/** Length of the end that may belong to a mark: the beginning of one, and white space, which goes if a mark follows. */
export function heldBack(text: string, marks: readonly string[]): number {
  let longest = text.length - text.trimEnd().length;
  for (const mark of marks) {
    for (let length = Math.min(text.length, mark.length - 1); length > 0; length -= 1) {
      if (!mark.startsWith(text.slice(-length))) continue;
      const before = text.slice(0, -length);
      longest = Math.max(longest, length + before.length - before.trimEnd().length);
      break;
    }
  }
  return longest;
}
