/** Turns whatever went wrong into the error shape of the client's API, fastify's own complaints included. An unexpected fault is logged, never shown. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { anthropicError, anthropicStatus } from "./anthropic/anthropic-error";
import { speaksAnthropic } from "./anthropic/speaks-anthropic";
import { ApiError } from "./api-error";
import type { HttpLog } from "./http-context";
import { bodyBytesMax } from "./request-body";
import { mintRequestId } from "./request-ids";

/** Parts of OpenAI's and Anthropic's APIs that clients may look for and that are not here yet. */
const notYet = /^\/v1\/(audio|images|files|batches|moderations)(\/|$)/;

export function registerErrorAnswers(app: FastifyInstance, log: HttpLog): void {
  app.setErrorHandler((error, request, reply) => answerWith(toApiError(error, log), request, reply, log));
  app.setNotFoundHandler((request, reply) => answerWith(unknownUrl(request), request, reply, log));
}

export function answerWith(error: ApiError, request: FastifyRequest, reply: FastifyReply, log: HttpLog): FastifyReply {
  const { code } = error;
  const anthropic = speaksAnthropic(request);
  const status = anthropic ? anthropicStatus(error) : error.status;
  log.debug({ requestId: request.id, method: request.method, url: request.url, status, code }, error.message);
  reply.code(status).headers(error.headers);
  if (!anthropic) return reply.send(error.body);
  return reply.header("request-id", request.id).send(anthropicError(error, request.id));
}

export function toApiError(error: unknown, log: HttpLog): ApiError {
  if (error instanceof ApiError) return error;
  const { code, message, statusCode } = error as { code?: string; message?: string; statusCode?: number };
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ApiError(
        "request_too_large",
        `The body is larger than ${bodyBytesMax / 1024 / 1024} MiB, which is the limit.`,
      );
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ApiError(
        "unsupported_media_type",
        "The body must be JSON. Send the header 'Content-Type: application/json'.",
      );
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ApiError("bad_request", "The body is not as long as its Content-Length says.");
    case "FST_ERR_BAD_URL":
      return new ApiError("bad_request", "The URL cannot be decoded.");
    default:
      break;
  }
  if (code?.startsWith("Z_")) return new ApiError("invalid_json", `The gzip body cannot be unpacked: ${message}.`);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError("bad_request", message ?? "The request cannot be read.");
  }
  log.error({ err: error }, "A request failed inside the server");
  return new ApiError("internal_error", "The server made a mistake. Its log says which; the other requests go on.");
}

function unknownUrl(request: FastifyRequest): ApiError {
  const path = request.url.split("?", 1)[0] ?? "";
  const message = notYet.test(path)
    ? `${request.method} ${path} is not supported yet. Use POST /v1/chat/completions.`
    : `Unknown URL: ${request.method} ${path}. The base URL of this API ends in /v1.`;
  return new ApiError("unknown_url", message);
}

/** What Node's parser could not read as HTTP never reaches fastify; it is answered on the socket itself. */
export function answerUnreadable(error: { code?: string; message: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = unreadable(error.code);
  const body = JSON.stringify(answer.body);
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${mintRequestId()}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function unreadable(code: string | undefined): ApiError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new ApiError("headers_too_large", "The headers are larger than 64 KB, which is the limit.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ApiError("request_timeout", "The request did not arrive in full in time. Send it again.");
    default:
      return new ApiError("bad_request", "This is not HTTP that can be read.");
  }
}
