/**
 * Checks the API key, as `Authorization: Bearer` or `X-Api-Key`: the server's own, if it has one, or a named agent's, which also says who
 * is calling. /health and / stay open for probes; /ui checks for itself, because browsers send no keys.
 */
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type AgentStore, hashOf } from "./agents/agent-store";
import { ApiError } from "./api-error";
import { noteKey } from "./identity/caller";

const open = new Set(["/", "/health", "/v1/health"]);

export type KeyCheck = (request: FastifyRequest) => void;

export function createKeyCheck(apiKey: string | undefined, agents: AgentStore): KeyCheck {
  // Hashing gives both sides one length, so the comparison takes the same time whatever was sent.
  const expected = apiKey ? hashOf(apiKey) : null;
  return (request) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const given = givenKey(request);
    const agent = given === null ? null : agents.ofKey(given);
    if (agent !== null) noteKey(request.headers, { agent: agent.name, workflow: agent.workflow ?? undefined });
    if (expected === null || open.has(path) || /^\/ui(\/|$)/.test(path)) return;
    // An agent may ask for answers, not make keys.
    if (agent !== null && !/^\/v1\/agents(\/|$)/.test(path)) return;
    if (given !== null && timingSafeEqual(hashOf(given), expected)) return;
    const message =
      given === null
        ? "This server needs an API key. Send it as 'Authorization: Bearer KEY' or 'X-Api-Key: KEY'."
        : "The API key is wrong. Send the key this server was started with.";
    throw new ApiError("invalid_api_key", message, { headers: { "www-authenticate": "Bearer" } });
  };
}

function givenKey({ headers }: FastifyRequest): string | null {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? "");
  if (bearer?.[1] !== undefined) return bearer[1].trim();
  const own = headers["x-api-key"];
  return typeof own === "string" ? own : null;
}
