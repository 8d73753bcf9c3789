/**
 * `GET /v1/recording`: what is kept of the run, as the window opens it and as it can be replayed; `GET /v1/trace.json`: what is
 * in memory for ui.perfetto.dev. Both hold names, counts and decisions, and no prompts or answers unless the user turned that on.
 */
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import type { History } from "../../core/view/history";
import { recordingLines } from "../../core/view/recording-lines";
import { traceText } from "../../core/view/trace-text";
import type { LiveView } from "../../core/view/view";
import { savedFileName } from "../live/saved-file-name";
import type { HttpContext } from "./http-context";
import { route } from "./route";

export function registerRecording(app: FastifyInstance, { live, recordingOnDisk }: HttpContext): void {
  route(app, "/v1/recording", {
    get: async (_request, reply) => {
      reply
        .type("application/gzip")
        .header("content-disposition", `attachment; filename="${savedFileName("topas.jsonl.gz")}"`);
      return reply.send((await recordingOnDisk()) ?? recordingInMemory(live.history));
    },
  });
  route(app, "/v1/trace.json", {
    get: async (_request, reply) => {
      const { earliest, firstNumber, lastNumber } = live.history;
      const events = live.history.eventsBetween(firstNumber + 1, lastNumber);
      reply
        .type("application/json")
        .header("content-disposition", `attachment; filename="${savedFileName("trace.json")}"`);
      return reply.send(Readable.from(traceText(earliest, events)));
    },
  });
}

export function recordingInMemory(history: History<LiveView>): Readable {
  return Readable.from(recordingLines(history)).pipe(createGzip());
}
