/**
 * Finds the calls of tools in an answer that comes in pieces. Marks are never handed on, not even a part of one; text that
 * only looked like a call is handed on as it was written.
 */
import { CallObject } from "./call-object";
import type { CallPart } from "./call-parts";
import type { CallSyntax } from "./call-syntax";

type Phase = "start" | "text" | "between" | "name" | "call";

export class CallReader {
  #phase: Phase = "start";
  #held = "";
  #call = new CallObject();
  /** The opening mark of the calls under way, given back if they are none. */
  #opening = "";
  #name = "";
  #found = 0;

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

  end(): CallPart[] {
    const rest = this.#phase === "call" ? this.#opening + this.#call.rest : this.#held;
    const isText = this.#phase === "call" ? this.#call.rest !== "" : this.#phase !== "between" || this.#found === 0;
    const text = isText ? rest.trimEnd() : "";
    this.#held = "";
    return text === "" ? [] : [{ kind: "text", text: this.#found === 0 ? rest : text }];
  }

  #step(): CallPart[] {
    switch (this.#phase) {
      case "start":
        return this.#atStart();
      case "text":
        return this.#inText();
      case "between":
        return this.#betweenCalls();
      case "name":
        return this.#inName();
      case "call":
        return this.#inCall();
      default:
        return this.#phase satisfies never;
    }
  }

  /** A bare call stands at the head of the answer. */
  #atStart(): CallPart[] {
    const text = this.#held.trimStart();
    if (text === "") return [];
    const isBare = this.syntax.bareNames.length > 0 && (text.startsWith("{") || /^\[\s*(\{|$)/.test(text));
    if (isBare && /^\[\s*$/.test(text)) return [];
    this.#phase = isBare ? "between" : "text";
    this.#opening = "";
    return [];
  }

  #inText(): CallPart[] {
    const found = firstMark(this.#held, this.syntax.opens);
    if (found !== null) {
      const text = this.#held.slice(0, found.at).trimEnd();
      this.#held = this.#held.slice(found.at + found.mark.length);
      this.#opening = found.mark;
      this.#phase = this.syntax.inside === "named" ? "name" : "between";
      return textPart(this.#found > 0 ? text.trim() : text);
    }
    const safe = this.#held.length - heldBack(this.#held, this.syntax.opens);
    const text = this.#held.slice(0, safe);
    this.#held = this.#held.slice(safe);
    return textPart(text);
  }

  /** Before, between and behind calls: white space, commas, brackets, closing marks. */
  #betweenCalls(): CallPart[] {
    this.#held = this.#held.replace(/^[\s,;[\]]+/, "");
    const closing = this.syntax.closes.find((mark) => this.#held.startsWith(mark));
    if (closing !== undefined) {
      this.#held = this.#held.slice(closing.length);
      this.#phase = "text";
      return [];
    }
    const again = this.syntax.opens.find((mark) => this.#held.startsWith(mark));
    if (again !== undefined) {
      this.#held = this.#held.slice(again.length);
      this.#opening = again;
      return [];
    }
    if (this.#held.startsWith("{")) {
      this.#phase = "call";
      this.#call = new CallObject();
      return [];
    }
    const marks = [...this.syntax.closes, ...this.syntax.opens];
    if (this.#held === "" || marks.some((mark) => mark.startsWith(this.#held))) return [];
    return this.#noCall(this.#held);
  }

  /** The name outside the JSON. */
  #inName(): CallPart[] {
    const end = this.#held.indexOf(this.syntax.nameEnd);
    if (end === -1) return this.#held.length > 256 ? this.#noCall(this.#held) : [];
    const rest = this.#held.slice(end + this.syntax.nameEnd.length);
    const open = rest.search(/\{/);
    if (open === -1) return rest.length > 64 ? this.#noCall(this.#held) : [];
    this.#name = this.#held.slice(0, end).trim();
    // Read as an object with the name inside, so that there is one way to read calls.
    this.#held = `{"name": ${JSON.stringify(this.#name)}, "arguments": ${rest.slice(open)}`;
    this.#phase = "call";
    this.#call = new CallObject();
    return [];
  }

  #inCall(): CallPart[] {
    const text = this.#held;
    this.#held = "";
    if (text === "") return [];
    const read = this.#call.push(this.syntax.inside === "named" ? this.#closed(text) : text);
    if (read.kind === "no_call") return this.#noCall(read.text);
    if (read.parts.some(({ kind }) => kind === "start")) this.#found += 1;
    if (read.kind === "done") {
      this.#held = read.rest;
      this.#phase = "between";
    }
    return [...read.parts];
  }

  /** The closing mark of a named call stands where the brace of the made-up object would. */
  #closed(text: string): string {
    return this.syntax.closes.reduce((changed, mark) => changed.replace(mark, "}"), text.replace("```", ""));
  }

  #noCall(text: string): CallPart[] {
    const whole = this.#found === 0 ? this.#opening + text : text;
    this.#held = "";
    this.#opening = "";
    this.#phase = "text";
    return textPart(whole);
  }
}

function textPart(text: string): CallPart[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

function firstMark(text: string, marks: readonly string[]): { readonly mark: string; readonly at: number } | null {
  let first: { mark: string; at: number } | null = null;
  for (const mark of marks) {
    const at = text.indexOf(mark);
    if (at !== -1 && (first === null || at < first.at)) first = { mark, at };
  }
  return first;
}

/** Length of the end that may belong to a mark: the beginning of one, and white space, which goes if a mark follows. */
function heldBack(text: string, marks: readonly string[]): number {
  const spaces = text.length - text.trimEnd().length;
  let longest = spaces;
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
