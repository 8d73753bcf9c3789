/**
 * What the address and the key of a request say of its sender: `/w/<workflow>/a/<agent>/v1/...` and named API keys. They work in
 * every client, because every client lets its user set a base URL and a key.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Claims } from "./claims";

/** Kept beside the headers, which every API hands on as they came; gone with them. */
const callers = new WeakMap<IncomingHttpHeaders, { address?: Claims; key?: Claims }>();

export function noteAddress(headers: IncomingHttpHeaders, address: Claims): void {
  callers.set(headers, { ...callers.get(headers), address });
}

export function noteKey(headers: IncomingHttpHeaders, key: Claims): void {
  callers.set(headers, { ...callers.get(headers), key });
}

export function addressOf(headers: IncomingHttpHeaders): Claims {
  return callers.get(headers)?.address ?? {};
}

export function keyOf(headers: IncomingHttpHeaders): Claims {
  return callers.get(headers)?.key ?? {};
}

const prefix = /^(?:\/w\/([^/?]+))?(?:\/a\/([^/?]+))?(?=\/v1(?:[/?]|$))/;

export interface ReadAddress {
  /** Without the prefix. */
  readonly url: string;
  readonly claims: Claims;
}

/** Names that cannot be decoded stay as they are: the router then answers that there is no such URL. */
export function readAddress(url: string): ReadAddress {
  const found = prefix.exec(url);
  if (found === null || found[0] === "") return { url, claims: {} };
  try {
    const [workflow, agent] = [found[1], found[2]].map((name) =>
      name === undefined ? undefined : decodeURIComponent(name),
    );
    return { url: url.slice(found[0].length), claims: { workflow, agent } };
  } catch {
    return { url, claims: {} };
  }
}

/** `qwen3-8b@planner` is the model `qwen3-8b`, asked by `planner`. */
export function splitAlias(model: string): { readonly model: string; readonly agent: string | undefined } {
  const at = model.lastIndexOf("@");
  return at > 0 && at < model.length - 1
    ? { model: model.slice(0, at), agent: model.slice(at + 1) }
    : { model, agent: undefined };
}
