/** Splits what a process prints into lines and keeps the last of them. */
const LINES_MAX = 200;
const LINE_CHARACTERS_MAX = 2000;

export class LogTail {
  readonly #lines: string[] = [];
  readonly #onLine: (line: string) => void;
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  take(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = (lines.pop() ?? "").slice(0, LINE_CHARACTERS_MAX);
    for (const line of lines) this.#add(line);
  }

  /** The process is gone: what it had begun to print is its last line. */
  end(): void {
    this.#add(this.#rest);
    this.#rest = "";
  }

  #add(line: string): void {
    if (line.trim() === "") return;
    this.#lines.push(line.slice(0, LINE_CHARACTERS_MAX));
    if (this.#lines.length > LINES_MAX) this.#lines.shift();
    this.#onLine(line.slice(0, LINE_CHARACTERS_MAX));
  }
}
