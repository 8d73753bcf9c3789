/** Turns bytes into JSON: `application/json`, plain or gzip, up to the limit counted after unpacking. Nothing else is taken. */
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./api-error";
import { parseJson } from "./json/parse-json";

export const bodyBytesMax = 64 * 1024 * 1024;

export function registerRequestBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify's own reading would put a large body together in one go, and stop all streams meanwhile.
  app.addContentTypeParser("application/json", async (request: FastifyRequest, payload: Payload) =>
    parseJson(await readChunks(request, payload)),
  );
  app.addHook("preParsing", async (request, _reply, payload) => unpack(request, payload));
}

type Payload = Readable & { receivedEncodedLength?: number };

/** Reading stops with the first problem, but the connection stays: the client is to hear of it. */
function readChunks({ headers }: FastifyRequest, payload: Payload): Promise<readonly Buffer[]> {
  const announced = headers["content-length"] === undefined ? null : Number(headers["content-length"]);
  return new Promise((resolve, reject) => {
    if (announced !== null && announced > bodyBytesMax) return reject(tooLarge());
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (settle: () => void) => {
      payload.off("data", take).off("end", end).off("error", fail).off("close", cut);
      settle();
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > bodyBytesMax) done(() => reject(tooLarge()));
    };
    const end = () => {
      const received = payload.receivedEncodedLength ?? bytes;
      if (announced === null || received === announced) return done(() => resolve(chunks));
      done(() => reject(new ApiError("bad_request", "The body is not as long as its Content-Length says.")));
    };
    const fail = (error: Error) => done(() => reject(error));
    const cut = () => fail(new ApiError("bad_request", "The body was cut off."));
    payload.on("data", take).on("end", end).on("error", fail).on("close", cut);
  });
}

function tooLarge(): ApiError {
  const message = `The body is larger than ${bodyBytesMax / 1024 / 1024} MiB, which is the limit.`;
  return new ApiError("request_too_large", message, { headers: { connection: "close" } });
}

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
  // Content-Length counts the packed bytes.
  Object.defineProperty(gunzip, "receivedEncodedLength", { get: () => received });
  payload.on("error", (error) => gunzip.destroy(error));
  return payload.pipe(gunzip as unknown as NodeJS.WritableStream) as unknown as Payload;
}
