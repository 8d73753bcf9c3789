/**
 * Turns the tokens of one answer into text that may be shown: whole characters only, and nothing that is or may become
 * a stop text. Must never give out a character twice or take one back.
 */
import type { Token } from "../../core/contract/ids";

export interface TextStep {
  readonly text: string;
  /** The stop text that ends the answer here. */
  readonly stopText: string | null;
}

/** What the tokenizer makes of bytes that are not a whole character. */
const REPLACEMENT = "\uFFFD";
/** A window that never ends in a whole character is cut here; such bytes will not become one any more. */
const WINDOW_TOKENS_MAX = 32;

export class TextStream {
  readonly #detokenize: (tokens: readonly Token[]) => string;
  readonly #stop: readonly string[];
  /** Tokens still needed as context for the next ones: `#shown` of the characters they make are already out. */
  #window: Token[] = [];
  /** Tokens at the start of the window whose text is out in full. */
  #settledTokens = 0;
  #shownCharacters = 0;
  #held = "";

  constructor(detokenize: (tokens: readonly Token[]) => string, stop: readonly string[]) {
    this.#detokenize = detokenize;
    this.#stop = stop.filter((text) => text !== "");
  }

  /** Text that is kept back because a stop text may begin in it. */
  get heldText(): string {
    return this.#held;
  }

  push(token: Token): TextStep {
    return this.#release(this.#decode(token));
  }

  /** The answer ended by itself: everything kept back was not a stop text after all. */
  finish(): string {
    const whole = this.#detokenize(this.#window);
    const text = this.#held + whole.slice(this.#shownCharacters);
    this.#held = "";
    this.#window = [];
    this.#settledTokens = 0;
    this.#shownCharacters = 0;
    return text;
  }

  /*
   * window   [ settled tokens | tokens of an unfinished character or just come ]
   * text     [ shown characters | new                       ] U+FFFD?
   * Settled tokens stay for one more round: some tokenizers write a token otherwise at the very beginning.
   */
  #decode(token: Token): string {
    this.#window.push(token);
    const whole = this.#detokenize(this.#window);
    const unfinished = whole.endsWith(REPLACEMENT) && this.#window.length < WINDOW_TOKENS_MAX;
    const end = unfinished ? whole.length - REPLACEMENT.length : whole.length;
    const fresh = end > this.#shownCharacters ? whole.slice(this.#shownCharacters, end) : "";
    this.#shownCharacters = Math.max(this.#shownCharacters, end);
    if (unfinished) return fresh;
    this.#window.splice(0, this.#settledTokens);
    this.#settledTokens = this.#window.length;
    this.#shownCharacters = this.#detokenize(this.#window).length;
    return fresh;
  }

  #release(fresh: string): TextStep {
    if (this.#stop.length === 0) return { text: fresh, stopText: null };
    const text = this.#held + fresh;
    const first = this.#firstStop(text);
    if (first !== null) {
      this.#held = "";
      return { text: text.slice(0, first.at), stopText: first.stop };
    }
    const heldCharacters = this.#possibleStop(text);
    this.#held = text.slice(text.length - heldCharacters);
    return { text: text.slice(0, text.length - heldCharacters), stopText: null };
  }

  #firstStop(text: string): { readonly at: number; readonly stop: string } | null {
    let first: { at: number; stop: string } | null = null;
    for (const stop of this.#stop) {
      const at = text.indexOf(stop);
      if (at >= 0 && (first === null || at < first.at)) first = { at, stop };
    }
    return first;
  }

  /** Length of the longest end of `text` with which a stop text begins. */
  #possibleStop(text: string): number {
    let longest = 0;
    for (const stop of this.#stop) {
      for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(stop.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
