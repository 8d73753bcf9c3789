/**
 * A streamed response that failed before its first event. Codex reads that a prompt is too long from the stream only, in
 * `response.failed`, and then compacts its conversation; a plain 400 would end its turn instead.
 */
import type { FastifyReply } from "fastify";
import type { ApiError } from "../api-error";
import type { ResponseStream } from "./response-stream";

export function failedStream(reply: FastifyReply, stream: ResponseStream, error: ApiError): FastifyReply {
  return reply
    .type("text/event-stream; charset=utf-8")
    .header("cache-control", "no-cache")
    .header("x-accel-buffering", "no")
    .send(stream.fail(error));
}
