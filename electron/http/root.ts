/** `GET /` and `HEAD /`: a sentence for people and for clients that probe whether anybody is there. */
import type { FastifyInstance } from "fastify";
import { route } from "./route";

export function registerRoot(app: FastifyInstance): void {
  route(app, "/", {
    get: async (_request, reply) =>
      reply.type("text/plain; charset=utf-8").send("TOPAS Desktop is running. Its OpenAI-compatible API is at /v1.\n"),
  });
}
