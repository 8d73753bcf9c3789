/**
 * Keeps responses so that `previous_response_id`, retrieval and deletion work. In memory, bounded by count and bytes: the one
 * that was not used for longest goes first, and a response too big for the whole store is not kept.
 */
import type { InputItem } from "./input-items";
import type { ResponseObject } from "./response-object";

export const storedResponsesMax = 1_000;
export const storedBytesMax = 128 * 1024 * 1024;

export interface StoredResponse {
  readonly response: ResponseObject;
  /** All items the model was shown, those of the responses before it included; shared with them. */
  readonly input: readonly InputItem[];
}

interface Entry extends StoredResponse {
  /** All of its input counts, though it shares items with others: never too little. */
  readonly bytes: number;
}

export interface StoreLimits {
  readonly responses: number;
  readonly bytes: number;
}

export class ResponseStore {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(private readonly limits: StoreLimits = { responses: storedResponsesMax, bytes: storedBytesMax }) {}

  put({ response, input }: StoredResponse): void {
    this.delete(response.id);
    const bytes = sizeOf(response) + input.reduce((sum, item) => sum + sizeOf(item), 0);
    if (bytes > this.limits.bytes) return;
    this.#entries.set(response.id, { response, input, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.limits.responses && this.#bytes <= this.limits.bytes) return;
      this.delete(oldest);
    }
  }

  get(id: string): StoredResponse | null {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  delete(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.#bytes -= entry.bytes;
    return this.#entries.delete(id);
  }
}

const sizes = new WeakMap<object, number>();

/** Items are never changed, and the same ones come again with every turn. */
function sizeOf(item: object): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const size = JSON.stringify(item).length;
  sizes.set(item, size);
  return size;
}
