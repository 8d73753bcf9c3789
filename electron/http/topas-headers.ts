/**
 * `x-topas-wait-ms` and `x-topas-cached-tokens`: how long the request waited for a slot and how many of its prompt tokens were in the KV cache.
 * A stream has them if the request was admitted before its headers left; the rest is in its usage and in `explain`.
 */
import type { FastifyInstance } from "fastify";
import type { Live } from "../live/live";
import { roundMs } from "./round-ms";

export function registerTopasHeaders(app: FastifyInstance, live: Live): void {
  app.addHook("onSend", async (request, reply) => {
    if (request.method === "POST") reply.headers(topasHeaders(live, String(reply.getHeader("x-request-id"))));
  });
}

export function topasHeaders(live: Live, requestId: string): Record<string, string> {
  const record = live.explain(requestId);
  if (record === null || record.admittedAtMs === null) return {};
  return {
    "x-topas-wait-ms": String(roundMs(Math.max(0, record.admittedAtMs - record.arrivedAtMs))),
    "x-topas-cached-tokens": String(record.reusedTokens + record.forkedTokens),
  };
}
