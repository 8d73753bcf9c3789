/**
 * Finds the calls of tools in an answer that comes in pieces. The marks of calls are never handed on, not even a part of one;
 * text that only looked like a call is handed on as it was written.
 */
import { CallArguments } from "./call-arguments";
import { CallObject } from "./call-object";
import { CallParameters } from "./call-parameters";
import type { CallBody, CallPart } from "./call-parts";
import type { CallSyntax } from "./call-syntax";
import { firstMark, heldBack } from "./marks";

type Phase = "start" | "text" | "between" | "call";

interface FoundName {
  readonly name: string;
  /** With what ends it. */
  readonly length: number;
}

export class CallReader {
  #phase: Phase = "start";
  #held = "";
  #body: CallBody | null = null;
  /** What was passed over since the last call, in case no call follows: marks and all, and without the marks. */
  #passed = "";
  #unmarked = "";
  #isOpened = false;
  #hasCalls = false;

  constructor(private readonly syntax: CallSyntax) {}

  push(text: string): CallPart[] {
    this.#held += text;
    const parts: CallPart[] = [];
    for (;;) {
      const before = `${this.#phase} ${this.#held.length}`;
      parts.push(...this.#step());
      if (`${this.#phase} ${this.#held.length}` === before) return parts;
    }
  }

  /** Of a call that was not finished only its text is left, without marks; behind calls white space and marks are dropped. */
  end(): CallPart[] {
    const rest = this.#phase === "call" ? (this.#body?.rest ?? "") : this.#held;
    if (!this.#hasCalls) return textPart(this.#unmarked + rest);
    return this.#phase === "text" ? textPart(rest.trimEnd()) : [];
  }

  #step(): CallPart[] {
    switch (this.#phase) {
      case "start":
        return this.#atStart();
      case "text":
        return this.#inText();
      case "between":
        return this.#betweenCalls();
      case "call":
        return this.#inCall();
      default:
        return this.#phase satisfies never;
    }
  }

  /** A bare call stands at the head of the answer. */
  #atStart(): CallPart[] {
    const text = this.#held.trimStart();
    if (text === "" || (this.syntax.isBareToo && this.#mayBeName(text))) return [];
    if (/^\[\s*$/.test(text) && this.syntax.isBareToo) return [];
    const isBare = /^(\[\s*)?\{/.test(text) || this.#bareName(text) !== null;
    this.#phase = this.syntax.isBareToo && isBare ? "between" : "text";
    return [];
  }

  #inText(): CallPart[] {
    const found = firstMark(this.#held, this.syntax.opens);
    const until = found?.at ?? this.#held.length - heldBack(this.#held, this.syntax.opens);
    const text = this.#held.slice(0, until);
    this.#held = this.#held.slice(until);
    if (found === null) return textPart(text);
    this.#phase = "between";
    return textPart(this.#hasCalls ? text.trim() : text.trimEnd());
  }

  /** Before, between and behind calls: white space, commas, brackets, marks. */
  #betweenCalls(): CallPart[] {
    this.#pass(/^[\s,;]*/.exec(this.#held)?.[0] ?? "", false);
    const { opens, closes } = this.syntax;
    const mark = [...opens, ...closes].find((each) => this.#held.startsWith(each));
    if (mark !== undefined) {
      this.#isOpened = opens.includes(mark);
      this.#pass(mark, true);
      return [];
    }
    if (this.#held === "" || [...opens, ...closes].some((each) => each.startsWith(this.#held))) return [];
    if (/^[[\]]/.test(this.#held)) {
      this.#pass(this.#held.slice(0, 1), false);
      return [];
    }
    if (this.#held.startsWith("{")) return this.#begin(new CallObject((name) => this.#isOpened || this.#knows(name)));
    return this.#named();
  }

  /** A name outside its arguments. */
  #named(): CallPart[] {
    const found = this.#isOpened ? this.#nameBehindMark(this.#held) : this.#bareName(this.#held);
    if (found !== null) {
      this.#pass(this.#held.slice(0, found.length), true);
      if (found.name === this.syntax.textName) return this.#plainText();
      return this.#begin(this.#bodyOf(found.name));
    }
    const mayFollow = this.#isOpened && this.syntax.nameEnds.length > 0;
    return mayFollow && /^[\w.-]{1,128}\S{0,20}$/.test(this.#held) ? [] : this.#noCall(this.#held);
  }

  #nameBehindMark(text: string): FoundName | null {
    const end = firstMark(text, this.syntax.nameEnds);
    const name = end === null ? "" : text.slice(0, end.at).trim();
    return end !== null && /^[\w.-]{1,128}$/.test(name) ? { name, length: end.at + end.mark.length } : null;
  }

  /** What follows was marked as text. */
  #plainText(): CallPart[] {
    [this.#passed, this.#unmarked] = ["", ""];
    this.#isOpened = false;
    this.#phase = "text";
    return [];
  }

  #bodyOf(name: string): CallBody {
    if (this.syntax.body === "json") return new CallArguments(name, this.syntax.closes);
    return new CallParameters(name, this.syntax.tools.find((tool) => tool.name === name)?.parameters ?? {});
  }

  #begin(body: CallBody): CallPart[] {
    this.#body = body;
    this.#phase = "call";
    return [];
  }

  #inCall(): CallPart[] {
    const text = this.#held;
    if (text === "" || this.#body === null) return [];
    this.#held = "";
    const read = this.#body.push(text);
    if (read.kind === "no_call") return this.#noCall(read.text);
    if (read.parts.length > 0) this.#hasCalls = true;
    if (read.kind === "done") {
      this.#held = read.rest;
      this.#phase = "between";
      [this.#passed, this.#unmarked] = ["", ""];
    }
    return [...read.parts];
  }

  #pass(text: string, isMark: boolean): void {
    this.#held = this.#held.slice(text.length);
    this.#passed += text;
    if (!isMark) this.#unmarked += text;
  }

  /** Behind a call its closing marks are no text. */
  #noCall(text: string): CallPart[] {
    const before = this.#hasCalls ? this.#unmarked.trimStart() : this.#passed;
    [this.#held, this.#passed, this.#unmarked] = ["", "", ""];
    this.#isOpened = false;
    this.#phase = "text";
    return textPart(before + text);
  }

  #knows(name: string): boolean {
    return this.syntax.tools.some((tool) => tool.name === name);
  }

  /** Where the marks are control tokens or stood in the prompt: `name{...}`, `name[ARGS]{...}`, or `name` on a line of its own. */
  #bareName(text: string): FoundName | null {
    for (const name of this.#bareNames) {
      if (!text.startsWith(name)) continue;
      const end = this.syntax.nameEnds.find((each) => text.startsWith(each, name.length));
      if (end !== undefined) return { name, length: name.length + end.length };
      if (text.startsWith("{", name.length)) return { name, length: name.length };
    }
    return null;
  }

  #mayBeName(text: string): boolean {
    const whole = this.#bareNames.flatMap((name) => ["{", ...this.syntax.nameEnds].map((end) => `${name}${end}`));
    return whole.some((each) => each.startsWith(text) && text.length < each.length);
  }

  get #bareNames(): string[] {
    const { nameEnds, tools, textName } = this.syntax;
    if (nameEnds.length === 0) return [];
    return [...tools.map(({ name }) => name), ...(textName === null ? [] : [textName])];
  }
}

function textPart(text: string): CallPart[] {
  return text === "" ? [] : [{ kind: "text", text }];
}
