/**
 * Lets events that came over a wire share what they have in common. There each brought its own copy of every id, and most are steps
 * of one batch that name the same requests; kept by the hundred thousand, that is most of their memory.
 */
import type { ViewEvent } from "./view-event";

/** Longer texts are told once. */
const charactersMax = 80;
const textsMax = 50_000;

export class EventSharing {
  readonly #texts = new Map<string, string>();
  #drawn: readonly string[] = [];

  /** An equal event. */
  share(event: ViewEvent): ViewEvent {
    if (event.kind !== "batch.stepped" && event.kind !== "batch.finished") return this.#shared(event) as ViewEvent;
    const { number, atMs } = event;
    if (!isSame(event.drawn, this.#drawn)) this.#drawn = event.drawn.map((id) => this.#text(id));
    const failedRequests = event.failedRequests.length === 0 ? nobody : event.failedRequests;
    return event.kind === "batch.stepped"
      ? { kind: "batch.stepped", number, atMs, drawn: this.#drawn, failedRequests }
      : { kind: "batch.finished", number, atMs, drawn: this.#drawn, failedRequests };
  }

  #shared(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#shared(item));
    if (typeof value !== "object" || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) copy[name] = this.#shared(field);
    return copy;
  }

  #text(text: string): string {
    if (text.length > charactersMax) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= textsMax) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}

const nobody: readonly string[] = [];

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
