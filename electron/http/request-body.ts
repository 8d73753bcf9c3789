/** Turns bytes into JSON: `application/json`, plain or gzip, up to the limit counted after unpacking. Nothing else is taken. */
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./api-error";

export const bodyBytesMax = 64 * 1024 * 1024;

export function registerRequestBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, parseJson(withoutMark(String(text))));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), undefined);
    }
  });
  app.addHook("preParsing", async (request, _reply, payload) => unpack(request, payload));
}

/** Some editors and shells begin every UTF-8 text with a byte order mark. */
function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function parseJson(text: string): unknown {
  // Clients name the type of a body also where they send none, as with DELETE; whoever needs one says that it is missing.
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError("invalid_json", `The body is not valid JSON: ${reason}.`);
  }
}

type Payload = Readable & { receivedEncodedLength?: number };

function unpack(request: FastifyRequest, payload: Payload): Payload {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase();
  if (encoding === undefined || encoding === "" || encoding === "identity") return payload;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    const message = `Bodies in Content-Encoding '${encoding}' cannot be read. Send gzip or no encoding.`;
    throw new ApiError("unsupported_media_type", message, { headers: { "accept-encoding": "gzip" } });
  }
  const gunzip: Payload = createGunzip();
  let received = 0;
  payload.on("data", (chunk: Buffer) => {
    received += chunk.length;
  });
  // Fastify compares this with Content-Length, which counts the packed bytes.
  Object.defineProperty(gunzip, "receivedEncodedLength", { get: () => received });
  payload.on("error", (error) => gunzip.destroy(error));
  return payload.pipe(gunzip as unknown as NodeJS.WritableStream) as unknown as Payload;
}
