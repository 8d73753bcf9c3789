/** Reads the arguments of a call whose name stood before them: a JSON object, perhaps in a fence of Markdown. */
import { argumentsPart, type BodyRead, type CallBody, type CallPart } from "./call-parts";
import { JsonEnd } from "./json-end";

const fence = "```json";

export class CallArguments implements CallBody {
  #text = "";
  #end: JsonEnd | null = null;
  readonly #closes: readonly string[];

  /** A call that its closing mark ends at once has no arguments. */
  constructor(
    private readonly name: string,
    closes: readonly string[],
  ) {
    this.#closes = closes.filter((mark) => !fence.startsWith(mark));
  }

  push(text: string): BodyRead {
    if (this.#end !== null) return this.#argue(this.#end, text);
    this.#text += text;
    const body = this.#text.trimStart().replace(new RegExp(`^${fence}\\s*`), "");
    if (body.startsWith("{")) {
      this.#end = new JsonEnd();
      const read = this.#argue(this.#end, body);
      return read.kind === "no_call" ? read : { ...read, parts: [this.#start, ...read.parts] };
    }
    if (this.#closes.some((mark) => body.startsWith(mark))) {
      return { kind: "done", parts: [this.#start, ...argumentsPart("{}")], rest: body };
    }
    if ([fence, ...this.#closes].some((mark) => mark.startsWith(body))) return { kind: "more", parts: [] };
    return { kind: "no_call", text: this.#text };
  }

  get rest(): string {
    return this.#end === null ? this.#text : "";
  }

  get #start(): CallPart {
    return { kind: "start", name: this.name };
  }

  #argue(whole: JsonEnd, text: string): BodyRead {
    const end = whole.find(text);
    if (end === -1) return { kind: "more", parts: argumentsPart(text) };
    return { kind: "done", parts: argumentsPart(text.slice(0, end)), rest: text.slice(end) };
  }
}
