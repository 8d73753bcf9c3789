/** Writes texts that a grammar allows, by seeded chance: what an engine could at most write. Reads the part of GBNF that is made here. */

type Node =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "class"; readonly ranges: readonly (readonly [number, number])[]; readonly isNegated: boolean }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "sequence"; readonly nodes: readonly Node[] }
  | { readonly kind: "choice"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly from: number; readonly to: number };

export class GbnfWriter {
  readonly #rules = new Map<string, Node>();

  constructor(
    grammar: string,
    private readonly chance: () => number,
  ) {
    for (const line of grammar.trim().split("\n")) {
      const [name = "", rule = ""] = line.split(/ ::= (.*)/s);
      this.#rules.set(name, new GbnfReader(rule).read());
    }
  }

  write(): string {
    return this.#write({ kind: "rule", name: "root" }, 0);
  }

  #write(node: Node, depth: number): string {
    switch (node.kind) {
      case "text":
        return node.text;
      case "class":
        return this.#letter(node.ranges, node.isNegated);
      case "rule": {
        const rule = this.#rules.get(node.name);
        if (rule === undefined) throw new Error(`There is no rule ${node.name}.`);
        return this.#write(rule, depth + 1);
      }
      case "sequence":
        return node.nodes.map((each) => this.#write(each, depth)).join("");
      case "choice": {
        // Deep down the last branches are taken: those of a value that holds no other.
        const from = depth > 30 ? Math.floor(node.nodes.length / 2) : 0;
        const chosen = node.nodes[from + Math.floor(this.chance() * (node.nodes.length - from))];
        return chosen ? this.#write(chosen, depth) : "";
      }
      case "repeat": {
        const more = depth > 20 ? 0 : Math.floor(this.chance() * Math.min(4, node.to - node.from + 1));
        return Array.from({ length: node.from + more }, () => this.#write(node.node, depth)).join("");
      }
      default:
        return node satisfies never;
    }
  }

  #letter(ranges: readonly (readonly [number, number])[], isNegated: boolean): string {
    if (isNegated) {
      for (;;) {
        const code =
          this.chance() < 0.9 ? 32 + Math.floor(this.chance() * 95) : 0x1f300 + Math.floor(this.chance() * 50);
        if (!ranges.some(([from, to]) => from <= code && code <= to)) return String.fromCodePoint(code);
      }
    }
    const [from, to] = ranges[Math.floor(this.chance() * ranges.length)] ?? [32, 32];
    return String.fromCodePoint(from + Math.floor(this.chance() * (Math.min(to, from + 200) - from + 1)));
  }
}

class GbnfReader {
  #at = 0;

  constructor(private readonly rule: string) {}

  read(): Node {
    const node = this.#choice();
    if (this.#at < this.rule.length) throw new Error(`Cannot read ${this.rule} at ${this.#at}.`);
    return node;
  }

  #choice(): Node {
    const nodes = [this.#sequence()];
    while (this.#take("|")) nodes.push(this.#sequence());
    return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: "choice", nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    for (;;) {
      this.#skip();
      if (this.#at >= this.rule.length || "|)".includes(this.rule[this.#at] ?? "")) return { kind: "sequence", nodes };
      nodes.push(this.#repeated(this.#atom()));
    }
  }

  #atom(): Node {
    if (this.#take("(")) {
      const inner = this.#choice();
      if (!this.#take(")")) throw new Error(`No ')' in ${this.rule}.`);
      return inner;
    }
    if (this.#take('"', false)) {
      let text = "";
      while (this.rule[this.#at] !== '"') text += String.fromCodePoint(this.#code());
      this.#at += 1;
      return { kind: "text", text };
    }
    if (this.#take("[", false)) return this.#class();
    const name = /^[a-zA-Z][a-zA-Z0-9-]*/.exec(this.rule.slice(this.#at))?.[0];
    if (name === undefined) throw new Error(`Cannot read ${this.rule} at ${this.#at}.`);
    this.#at += name.length;
    return { kind: "rule", name };
  }

  #class(): Node {
    const isNegated = this.#take("^", false);
    const ranges: [number, number][] = [];
    while (!this.#take("]", false)) {
      const from = this.#code();
      const isRange = this.rule[this.#at] === "-" && this.rule[this.#at + 1] !== "]";
      if (isRange) this.#at += 1;
      ranges.push([from, isRange ? this.#code() : from]);
    }
    return { kind: "class", ranges, isNegated };
  }

  /** The escapes that llama.cpp knows, and no others. */
  #code(): number {
    const found = /^\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|U([0-9A-F]{8})|([trn\\"[\]]))/i.exec(this.rule.slice(this.#at));
    if (found === null) {
      const code = this.rule.codePointAt(this.#at);
      if (code === undefined || code === 0x5c) throw new Error(`Cannot read ${this.rule} at ${this.#at}.`);
      this.#at += code > 0xffff ? 2 : 1;
      return code;
    }
    this.#at += found[0].length;
    const [, two, four, eight, letter = ""] = found;
    const hex = two ?? four ?? eight;
    if (hex !== undefined) return Number.parseInt(hex, 16);
    return ({ t: 9, r: 13, n: 10 } as Record<string, number>)[letter] ?? letter.charCodeAt(0);
  }

  #repeated(node: Node): Node {
    const found = /^\s*(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})/.exec(this.rule.slice(this.#at));
    if (found === null) return node;
    this.#at += found[0].length;
    const [, sign, from, comma, to] = found;
    if (sign !== undefined) return { kind: "repeat", node, from: sign === "+" ? 1 : 0, to: sign === "?" ? 1 : 1e9 };
    return {
      kind: "repeat",
      node,
      from: Number(from),
      to: comma === undefined ? Number(from) : to === "" ? 1e9 : Number(to),
    };
  }

  #skip(): void {
    while (/\s/.test(this.rule[this.#at] ?? "")) this.#at += 1;
  }

  #take(text: string, skips = true): boolean {
    if (skips) this.#skip();
    if (!this.rule.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
