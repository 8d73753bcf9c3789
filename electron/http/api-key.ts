/** Checks the optional API key, as `Authorization: Bearer` or `X-Api-Key`. /health and / stay open for probes. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error";

const open = new Set(["/", "/health", "/v1/health"]);

export function createKeyCheck(apiKey: string | undefined): (request: FastifyRequest) => void {
  if (!apiKey) return () => {};
  const expected = digest(apiKey);
  return (request) => {
    const path = request.url.split("?", 1)[0] ?? "";
    if (open.has(path)) return;
    const given = givenKey(request);
    if (given !== null && timingSafeEqual(digest(given), expected)) return;
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

/** Hashing gives both sides one length, so the comparison takes the same time whatever was sent. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
