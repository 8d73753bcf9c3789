/**
 * Reads one call written as a JSON object, `{"name": ..., "arguments": {...}}`, as it comes: where the name stands first its
 * arguments are handed on at once, else when the object is whole.
 */
import type { CallPart } from "./call-parts";
import { JsonEnd } from "./json-end";

const head = /^\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{)/;
/** A longer object that is no call yet is not waited for. */
const wholeMax = 1024 * 1024;

export type Read =
  | { readonly kind: "more"; readonly parts: readonly CallPart[] }
  | { readonly kind: "done"; readonly parts: readonly CallPart[]; readonly rest: string }
  /** No call after all: the text as the model wrote it. */
  | { readonly kind: "no_call"; readonly text: string };

export class CallObject {
  #text = "";
  #arguments: JsonEnd | null = null;
  #argumentsEnded = false;

  push(text: string): Read {
    if (this.#argumentsEnded) return this.#close(text);
    if (this.#arguments !== null) return this.#argue(text);
    this.#text += text;
    const found = head.exec(this.#text);
    if (found) {
      this.#arguments = new JsonEnd();
      const read = this.#argue(this.#text.slice(found[0].length));
      const start: CallPart = { kind: "start", name: String(JSON.parse(found[1] ?? '""')) };
      return read.kind === "no_call" ? read : { ...read, parts: [start, ...read.parts] };
    }
    const end = new JsonEnd().find(this.#text);
    if (end !== -1) return this.#whole(this.#text.slice(0, end), this.#text.slice(end));
    return this.#text.length > wholeMax ? { kind: "no_call", text: this.#text } : { kind: "more", parts: [] };
  }

  /** The answer ended inside it: what was not told yet. */
  get rest(): string {
    return this.#arguments === null ? this.#text : "";
  }

  #argue(text: string): Read {
    const end = this.#arguments?.find(text) ?? -1;
    if (end === -1) return { kind: "more", parts: partsOf(text) };
    this.#argumentsEnded = true;
    const read = this.#close(text.slice(end));
    return read.kind === "no_call" ? read : { ...read, parts: [...partsOf(text.slice(0, end)), ...read.parts] };
  }

  /** Members behind the arguments, an id at most, up to the brace that ends the call. */
  #close(text: string): Read {
    const end = text.indexOf("}");
    return end === -1 ? { kind: "more", parts: [] } : { kind: "done", parts: [], rest: text.slice(end + 1) };
  }

  #whole(text: string, rest: string): Read {
    const call = callIn(text);
    if (call === null) return { kind: "no_call", text: this.#text };
    return { kind: "done", parts: [{ kind: "start", name: call.name }, ...partsOf(call.arguments)], rest };
  }
}

function partsOf(delta: string): CallPart[] {
  return delta === "" ? [] : [{ kind: "arguments", delta }];
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
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
