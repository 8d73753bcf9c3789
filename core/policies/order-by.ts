/**
 * Orders the waiting requests by a key of several parts and says for each which part puts it before the next one. It knows
 * nothing of what the parts mean; equal keys go in order of arrival.
 */
import type { Terms } from "../topas/decision";
import type { RequestState } from "../topas/state";
import type { Ranked } from "./ranked-policy";

export interface KeyPart {
  /** Lower goes first. Asked once for each request. */
  of(request: RequestState): number;
  /** Why the lower one goes first, as it reads after "because". */
  readonly goesFirst: string;
}

interface Keyed {
  readonly request: RequestState;
  readonly key: readonly number[];
}

export function orderBy(
  waiting: readonly RequestState[],
  parts: readonly KeyPart[],
  termsOf: (request: RequestState) => Partial<Terms>,
): Ranked[] {
  const keyed = waiting.map<Keyed>((request) => ({ request, key: parts.map((part) => part.of(request)) }));
  keyed.sort((a, b) => difference(a, b) || a.request.arrival - b.request.arrival);
  return keyed.map((entry, index) => ({
    request: entry.request,
    terms: termsOf(entry.request),
    goesFirst: reason(entry, keyed[index + 1], parts),
  }));
}

function difference(a: Keyed, b: Keyed): number {
  const at = firstDifference(a, b);
  return at < 0 ? 0 : (a.key[at] ?? 0) < (b.key[at] ?? 0) ? -1 : 1;
}

function firstDifference(a: Keyed, b: Keyed): number {
  return a.key.findIndex((value, at) => value !== b.key[at]);
}

function reason(entry: Keyed, next: Keyed | undefined, parts: readonly KeyPart[]): string {
  const part = next === undefined ? undefined : parts[firstDifference(entry, next)];
  return part?.goesFirst ?? "it arrived earlier";
}
