/**
 * GBNF of the texts, as JSON writes them, that a regular expression matches: letters, classes, groups, alternatives and
 * repetitions. What goes beyond (looking ahead, references, borders of words) cannot be a grammar.
 */
import { repeated } from "./gbnf";
import { inJson, type LetterRange, letterClass } from "./letter-class";

/** Says what in the expression no grammar can be. */
export class UnusablePattern extends Error {}

/** Without anchors any text may stand before and behind. Throws `UnusablePattern`. */
export function patternRule(pattern: string): string {
  return `"\\"" (${new PatternReader(pattern).read()}) "\\""`;
}

const digit: readonly LetterRange[] = [[0x30, 0x39]];
const word: readonly LetterRange[] = [...digit, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const space: readonly LetterRange[] = [
  [0x09, 0x0a],
  [0x20, 0x20],
];
const classes: Readonly<Record<string, readonly LetterRange[]>> = { d: digit, w: word, s: space };
/** All but the ends of lines. */
const anyLetter =
  letterClass(
    [
      [0x09, 0x09],
      [0x20, 0x2027],
      [0x202a, 0x10ffff],
    ],
    false,
  ) ?? "char";
const letters: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f" };

class PatternReader {
  #at = 0;

  constructor(private readonly pattern: string) {}

  read(): string {
    try {
      new RegExp(this.pattern, "u");
    } catch {
      throw new UnusablePattern("it is no regular expression");
    }
    const rule = this.#alternatives(true);
    if (this.#at < this.pattern.length) throw new UnusablePattern(`'${this.#peek()}' stands where it cannot`);
    return rule;
  }

  #peek(): string {
    return this.pattern[this.#at] ?? "";
  }

  #take(text: string): boolean {
    if (!this.pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #alternatives(isOutermost: boolean): string {
    const branches = [this.#sequence(isOutermost)];
    while (this.#take("|")) branches.push(this.#sequence(isOutermost));
    return branches.join(" | ");
  }

  #sequence(isOutermost: boolean): string {
    const parts: string[] = [];
    if (isOutermost && !this.#take("^")) parts.push("char*");
    let isEnded = false;
    while (this.#at < this.pattern.length && !/[|)]/.test(this.#peek())) {
      if (isEnded) throw new UnusablePattern("'$' stands before its end");
      if (isOutermost && this.#take("$")) isEnded = true;
      else parts.push(this.#quantified(this.#atom()));
    }
    if (isOutermost && !isEnded) parts.push("char*");
    return parts.length === 0 ? '""' : parts.join(" ");
  }

  #atom(): string {
    if (this.#take("(")) return this.#group();
    if (this.#take("[")) return this.#class();
    if (this.#take(".")) return anyLetter;
    if (this.#take("\\")) return this.#escape();
    if (/[\^$]/.test(this.#peek())) throw new UnusablePattern(`'${this.#peek()}' stands inside it`);
    return inJson(this.#letter());
  }

  #group(): string {
    if (/^\?(=|!|<=|<!)/.test(this.pattern.slice(this.#at))) throw new UnusablePattern("it looks ahead or behind");
    const start = /^\?(:|<\w+>)/.exec(this.pattern.slice(this.#at));
    this.#at += start?.[0].length ?? 0;
    const inner = this.#alternatives(false);
    if (!this.#take(")")) throw new UnusablePattern("a group is not closed");
    return `(${inner})`;
  }

  #escape(): string {
    const letter = this.#letter();
    const known = classes[letter.toLowerCase()];
    if (known !== undefined) return letterClass(known, letter !== letter.toLowerCase()) ?? "char";
    return inJson(this.#escaped(letter));
  }

  /** A letter behind a backslash that stands for one letter. */
  #escaped(letter: string): string {
    const known = letters[letter];
    if (known !== undefined) return known;
    if (letter === "u") {
      const hex = /^([0-9a-fA-F]{4})/.exec(this.pattern.slice(this.#at))?.[1];
      if (hex === undefined) throw new UnusablePattern("'\\u' without four digits");
      this.#at += 4;
      return String.fromCodePoint(Number.parseInt(hex, 16));
    }
    if (/[a-zA-Z0-9]/.test(letter)) throw new UnusablePattern(`'\\${letter}' cannot be obeyed`);
    return letter;
  }

  /** From behind its opening bracket. */
  #class(): string {
    const isNegated = this.#take("^");
    const ranges: LetterRange[] = [];
    while (this.#at < this.pattern.length && !this.#take("]")) {
      const from = this.#member();
      const isRange = from.length === 1 && this.#peek() === "-" && this.pattern[this.#at + 1] !== "]";
      if (!isRange) ranges.push(...from);
      else {
        this.#at += 1;
        ranges.push([from[0]?.[0] ?? 0, this.#member()[0]?.[1] ?? 0]);
      }
    }
    const rule = letterClass(ranges, isNegated);
    if (rule === null) throw new UnusablePattern("a class is empty");
    return rule;
  }

  #member(): readonly LetterRange[] {
    const isEscaped = this.#take("\\");
    const letter = this.#letter();
    const known = isEscaped ? classes[letter] : undefined;
    if (known !== undefined) return known;
    if (isEscaped && "DWS".includes(letter)) throw new UnusablePattern(`'\\${letter}' stands in a class`);
    const code = (isEscaped ? this.#escaped(letter) : letter).codePointAt(0) ?? 0;
    return [[code, code]];
  }

  #letter(): string {
    const letter = String.fromCodePoint(this.pattern.codePointAt(this.#at) ?? 0);
    this.#at += letter.length;
    return letter;
  }

  #quantified(atom: string): string {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.pattern.slice(this.#at));
    if (found === null) return atom;
    const [whole, sign, from, comma, to] = found;
    this.#at += whole.length;
    if (sign !== undefined) return `${atom}${sign}`;
    const most = comma === undefined ? Number(from) : to === "" ? undefined : Number(to);
    if (Number(from) > 10_000 || (most ?? 0) > 10_000) throw new UnusablePattern("it repeats more than 10,000 times");
    return repeated(atom, Number(from), most);
  }
}
