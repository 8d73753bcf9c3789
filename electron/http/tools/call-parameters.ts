/**
 * Reads the arguments of a call written as `<parameter=key>value</parameter>` up to `</function>` and hands them on as the
 * members of a JSON object, one parameter at a time. The tool's schema says which values are text.
 */
import { argumentsPart, type BodyRead, type CallBody, type CallPart } from "./call-parts";

const end = "</function>";
const parameter = /^<parameter=([^>\n]*)>\n?([\s\S]*?)\n?<\/parameter>/;
const beginning = "<parameter=";

export class CallParameters implements CallBody {
  #held = "";
  #count = 0;

  constructor(
    private readonly name: string,
    private readonly schema: Readonly<Record<string, unknown>>,
  ) {}

  push(text: string): BodyRead {
    this.#held += text;
    const parts: CallPart[] = [];
    for (;;) {
      const held = this.#held.trimStart();
      if (held.startsWith(end)) {
        parts.push(...this.#start(), ...argumentsPart(this.#count === 0 ? "{}" : "}"));
        return { kind: "done", parts, rest: held.slice(end.length) };
      }
      const found = parameter.exec(held);
      if (found === null) {
        if (this.#count > 0 || isBeginning(held)) return { kind: "more", parts };
        return { kind: "no_call", text: this.#held };
      }
      const [whole, key = "", value = ""] = found;
      const comma = this.#count === 0 ? "{" : ", ";
      parts.push(...this.#start(), ...argumentsPart(`${comma}${JSON.stringify(key)}: ${this.#json(key, value)}`));
      this.#count += 1;
      this.#held = held.slice(whole.length);
    }
  }

  get rest(): string {
    return this.#count === 0 ? this.#held : "";
  }

  #start(): CallPart[] {
    return this.#count === 0 ? [{ kind: "start", name: this.name }] : [];
  }

  #json(key: string, value: string): string {
    const { properties } = this.schema as { properties?: Readonly<Record<string, { type?: unknown } | undefined>> };
    if (properties?.[key]?.type === "string") return JSON.stringify(value);
    try {
      return JSON.stringify(JSON.parse(value));
    } catch {
      return JSON.stringify(value);
    }
  }
}

function isBeginning(text: string): boolean {
  return [end, beginning].some((mark) => mark.startsWith(text)) || text.startsWith(beginning);
}
