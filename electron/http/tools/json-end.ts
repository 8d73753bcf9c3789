/** Finds where a JSON value ends in a text that comes in pieces, without parsing it twice. */

/** Reads one object or array, character by character. */
export class JsonEnd {
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Number of characters of `text` up to and with the end of the value; -1 while it has not ended. */
  find(text: string): number {
    for (let at = 0; at < text.length; at += 1) if (this.#endsWith(text[at] ?? "")) return at + 1;
    return -1;
  }

  #endsWith(letter: string): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (letter === "\\") this.#escaped = true;
      else if (letter === '"') this.#inString = false;
    } else if (letter === '"') this.#inString = true;
    else if (letter === "{" || letter === "[") this.#depth += 1;
    else if (letter === "}" || letter === "]") {
      this.#depth -= 1;
      return this.#depth <= 0;
    }
    return false;
  }
}
