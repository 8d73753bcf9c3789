/**
 * Reads one call written as a JSON object, `{"name": ..., "arguments": {...}}`, as it comes: where the name stands first its
 * arguments are handed on at once, else when the object is whole.
 */
import { argumentsPart, type BodyRead, type CallBody, type CallPart } from "./call-parts";
import { JsonEnd } from "./json-end";

const head = /^\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{)/;
/** A longer object that is no call yet is not waited for. */
const wholeMax = 1024 * 1024;

export class CallObject implements CallBody {
  #text = "";
  /** Of the object, to know when it is whole; then, from their beginning, of its arguments. */
  #end = new JsonEnd();
  #phase: "object" | "arguments" | "behind" = "object";

  /** `accepts`: an object with another name is no call. */
  constructor(private readonly accepts: (name: string) => boolean) {}

  push(text: string): BodyRead {
    if (this.#phase === "behind") return this.#close(text);
    if (this.#phase === "arguments") return this.#argue(text);
    const end = this.#end.find(text);
    this.#text += text;
    const found = head.exec(this.#text);
    const name = found ? String(parsedValue(found[1] ?? "") ?? "") : "";
    if (found && name !== "" && this.accepts(name)) {
      this.#phase = "arguments";
      this.#end = new JsonEnd();
      const read = this.#argue(this.#text.slice(found[0].length));
      const start: CallPart = { kind: "start", name };
      return read.kind === "no_call" ? read : { ...read, parts: [start, ...read.parts] };
    }
    if (end !== -1) return this.#whole(this.#text.length - text.length + end);
    return this.#text.length > wholeMax ? { kind: "no_call", text: this.#text } : { kind: "more", parts: [] };
  }

  get rest(): string {
    return this.#phase === "object" ? this.#text : "";
  }

  #argue(text: string): BodyRead {
    const end = this.#end.find(text);
    if (end === -1) return { kind: "more", parts: argumentsPart(text) };
    this.#phase = "behind";
    const read = this.#close(text.slice(end));
    return read.kind === "no_call" ? read : { ...read, parts: [...argumentsPart(text.slice(0, end)), ...read.parts] };
  }

  /** Members behind the arguments, an id at most, up to the brace that ends the call. */
  #close(text: string): BodyRead {
    const end = text.indexOf("}");
    return end === -1 ? { kind: "more", parts: [] } : { kind: "done", parts: [], rest: text.slice(end + 1) };
  }

  #whole(end: number): BodyRead {
    const call = callIn(this.#text.slice(0, end));
    if (call === null || !this.accepts(call.name)) return { kind: "no_call", text: this.#text };
    const parts: CallPart[] = [{ kind: "start", name: call.name }, ...argumentsPart(call.arguments)];
    return { kind: "done", parts, rest: this.#text.slice(end) };
  }
}

/** Also where the arguments come first, as text, or under OpenAI's `function`. */
function callIn(text: string): { readonly name: string; readonly arguments: string } | null {
  const object = parsed(text);
  const call = isObject(object?.function) ? object.function : object;
  const name = call?.name;
  if (typeof name !== "string" || name === "") return null;
  const said = call?.arguments ?? call?.parameters ?? {};
  if (typeof said === "string") return { name, arguments: parsed(said) ? said : JSON.stringify({ input: said }) };
  return { name, arguments: JSON.stringify(said) };
}

function parsed(text: string): Record<string, unknown> | null {
  const value = parsedValue(text);
  return isObject(value) ? value : null;
}

function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
