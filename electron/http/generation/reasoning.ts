/** Parts what a reasoning model thinks, `<think>` to `</think>` at the head of its answer, from what it says. Both marks may come in pieces. */

export interface Piece {
  readonly kind: "reasoning" | "content";
  readonly text: string;
}

type Phase = "start" | "reasoning" | "after" | "content";

export const thoughtMark = "<think>";
const open = thoughtMark;
const close = "</think>";

export class ReasoningSplitter {
  #phase: Phase;
  #held = "";

  constructor(beginsInThought = false) {
    this.#phase = beginsInThought ? "reasoning" : "start";
  }

  push(text: string): Piece[] {
    this.#held += text;
    const pieces: Piece[] = [];
    let before: Phase;
    do {
      before = this.#phase;
      pieces.push(...this.#step());
    } while (this.#phase !== before);
    return pieces;
  }

  #step(): Piece[] {
    switch (this.#phase) {
      case "start":
        return this.#atStart();
      case "reasoning":
        return this.#inReasoning();
      case "after":
        return this.#afterReasoning();
      case "content":
        return this.flush();
      default:
        return this.#phase satisfies never;
    }
  }

  /** What was kept back because more might have followed. */
  flush(): Piece[] {
    const text = this.#held;
    this.#held = "";
    return piece(this.#phase === "reasoning" ? "reasoning" : "content", text);
  }

  #atStart(): Piece[] {
    const text = this.#held.trimStart();
    if (text.startsWith(open)) {
      this.#phase = "reasoning";
      this.#held = text.slice(open.length).replace(/^\n/, "");
    } else if (!open.startsWith(text)) this.#phase = "content";
    return [];
  }

  #inReasoning(): Piece[] {
    const end = this.#held.indexOf(close);
    const safe = end === -1 ? this.#held.length - beginningAtEnd(this.#held, close) : end;
    const text = this.#held.slice(0, safe);
    if (end === -1) {
      this.#held = this.#held.slice(safe);
    } else {
      this.#held = this.#held.slice(end + close.length);
      this.#phase = "after";
    }
    return piece("reasoning", text);
  }

  /** The blank lines between thought and answer belong to neither. */
  #afterReasoning(): Piece[] {
    this.#held = this.#held.trimStart();
    if (this.#held !== "") this.#phase = "content";
    return [];
  }
}

function piece(kind: Piece["kind"], text: string): Piece[] {
  return text === "" ? [] : [{ kind, text }];
}

/** Length of the longest end of `text` that `mark` begins with. */
function beginningAtEnd(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length -= 1) {
    if (mark.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
