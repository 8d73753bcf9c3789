/**
 * Requests that are sent again. Official clients repeat a request that timed out or whose connection broke; computing it
 * twice would cost the others their turn and this one its place in the queue. So the second try joins the first, where that
 * is certainly the same request:
 *
 * - An official client counts its tries in `x-stainless-retry-count`. When one of them hangs up on a whole answer, its
 *   generation goes on for a few seconds, and a try with a count above 0 and the same address, headers and body takes it
 *   over. One that still has its client is never taken: equal requests side by side may be meant (best of n). Streams are
 *   not repeated by these clients: whoever hangs up on one wants no more of it.
 * - With `Idempotency-Key` the client itself says what is the same. The later try gets the whole answer from its beginning,
 *   also beside the first one and up to a few seconds after its end. Another body under the same key is refused.
 *
 * Everybody else who hangs up does not want the answer any more.
 */
import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "../api-error";
import type { SharedGeneration } from "./shared-generation";

/** Comparing larger bodies would hold up the others for too long. */
const bodyBytesMax = 8 * 1024 * 1024;
const retryCount = "x-stainless-retry-count";
/** Headers that differ from one try to the next. */
const ofOneTry = new Set([retryCount, "x-request-id", "traceparent", "tracestate", "connection"]);

interface Keyed {
  readonly fingerprint: string;
  readonly generation: SharedGeneration;
}

export class Joins {
  readonly #orphans = new Map<string, SharedGeneration[]>();
  readonly #keyed = new Map<string, Keyed>();
  /** Requests that were joined so far. */
  joined = 0;

  constructor(private readonly comesBackWithinMs: number) {}

  /** Whether this request could be joined by another try. */
  canBeJoined(request: FastifyRequest): boolean {
    if (!isComparable(request)) return false;
    return keyOf(request) !== null || (request.headers[retryCount] !== undefined && !wantsStream(request));
  }

  /** The generation of an earlier try; null: it is a new request. */
  find(request: FastifyRequest): SharedGeneration | null {
    const found = this.#findKeyed(request) ?? this.#takeOrphan(request);
    if (found !== null) this.joined += 1;
    return found;
  }

  began(request: FastifyRequest, generation: SharedGeneration): void {
    const key = keyOf(request);
    if (key !== null && isComparable(request))
      this.#keyed.set(key, { fingerprint: fingerprintOf(request), generation });
  }

  /** Its client hung up. For how long it goes on; 0: it is not expected back. */
  abandoned(request: FastifyRequest, generation: SharedGeneration): number {
    if (!this.canBeJoined(request)) return 0;
    if (keyOf(request) !== null) return this.comesBackWithinMs;
    const fingerprint = fingerprintOf(request);
    this.#orphans.set(fingerprint, [...(this.#orphans.get(fingerprint) ?? []), generation]);
    return this.comesBackWithinMs;
  }

  over(request: FastifyRequest, generation: SharedGeneration): void {
    for (const [fingerprint, orphans] of this.#orphans) {
      if (orphans.includes(generation)) this.#keepOrphans(fingerprint, without(orphans, generation));
    }
    const key = keyOf(request);
    if (key === null || this.#keyed.get(key)?.generation !== generation) return;
    const forget = () => {
      if (this.#keyed.get(key)?.generation === generation) this.#keyed.delete(key);
    };
    if (generation.hasFailed) forget();
    else setTimeout(forget, this.comesBackWithinMs).unref();
  }

  #findKeyed(request: FastifyRequest): SharedGeneration | null {
    const key = keyOf(request);
    const keyed = key === null ? undefined : this.#keyed.get(key);
    if (keyed === undefined || keyed.generation.hasFailed) return null;
    if (isComparable(request) && keyed.fingerprint === fingerprintOf(request)) return keyed.generation;
    const message =
      "This Idempotency-Key was sent with another request a moment ago. Each request needs a key of its own.";
    throw new ApiError("duplicate_request", message);
  }

  #takeOrphan(request: FastifyRequest): SharedGeneration | null {
    if (this.#orphans.size === 0 || !isComparable(request) || !(Number(request.headers[retryCount]) > 0)) return null;
    const fingerprint = fingerprintOf(request);
    const orphans = (this.#orphans.get(fingerprint) ?? []).filter(({ hasFailed }) => !hasFailed);
    const oldest = orphans[0] ?? null;
    if (oldest !== null) this.#keepOrphans(fingerprint, without(orphans, oldest));
    return oldest;
  }

  #keepOrphans(fingerprint: string, orphans: SharedGeneration[]): void {
    if (orphans.length > 0) this.#orphans.set(fingerprint, orphans);
    else this.#orphans.delete(fingerprint);
  }
}

function without(orphans: readonly SharedGeneration[], generation: SharedGeneration): SharedGeneration[] {
  return orphans.filter((other) => other !== generation);
}

function wantsStream({ body }: FastifyRequest): boolean {
  return typeof body === "object" && body !== null && "stream" in body && body.stream === true;
}

/** A key counts for its sender alone. */
function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return null;
  return JSON.stringify([key, headers.authorization ?? null, headers["x-api-key"] ?? null]);
}

function isComparable({ headers }: FastifyRequest): boolean {
  return Number(headers["content-length"]) <= bodyBytesMax;
}

function fingerprintOf({ method, originalUrl, headers, body }: FastifyRequest): string {
  const said = Object.entries(headers).filter(([name]) => !ofOneTry.has(name));
  return createHash("sha256")
    .update(JSON.stringify([method, originalUrl, said.sort(([a], [b]) => (a < b ? -1 : 1)), body]))
    .digest("base64");
}
