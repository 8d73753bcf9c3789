/** The `x-request-id` of every answer. The client's is taken when it is sane and free, so that its own logs lead to `explain`. */
import { randomUUID } from "node:crypto";
import type { RequestId } from "../../core/contract/ids";

const visible = /^[\x21-\x7e]{1,128}$/;

export function mintRequestId(): RequestId {
  return `req_${randomUUID().replaceAll("-", "")}`;
}

export function readRequestId(header: string | string[] | undefined): RequestId {
  return typeof header === "string" && visible.test(header) ? header : mintRequestId();
}

/** Keeps an id from being used twice, also between its arrival and its submission. */
export class RequestIds {
  readonly #open = new Set<RequestId>();

  constructor(private readonly isKnown: (id: RequestId) => boolean) {}

  claim(wanted: RequestId): RequestId {
    const id = this.#open.has(wanted) || this.isKnown(wanted) ? mintRequestId() : wanted;
    this.#open.add(id);
    return id;
  }

  release(id: RequestId): void {
    this.#open.delete(id);
  }
}
