/** `GET /health`: is a model loaded and does its engine answer. Asks nobody, so it answers at once whatever the engine does. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { HttpContext } from "./http-context";
import { route } from "./route";

const answers = {
  ready: { status: "ok", retryAfterS: 0 },
  loading: { status: "loading model", retryAfterS: 5 },
  restarting: { status: "restarting", retryAfterS: 5 },
  stalled: { status: "stalled", retryAfterS: 10 },
  no_model: { status: "no model", retryAfterS: 30 },
  failed: { status: "failed", retryAfterS: 30 },
  // It answers: the next request has the model loaded again.
  unloaded: { status: "unloaded", retryAfterS: 0 },
  draining: { status: "draining", retryAfterS: 10 },
} as const;

export function registerHealth(app: FastifyInstance, { live, models, openAnswers }: HttpContext): void {
  const get = async (_request: FastifyRequest, reply: FastifyReply) => {
    const state = models?.house.isAsleep ? "unloaded" : live.health;
    const answer = answers[openAnswers.isDraining ? "draining" : state];
    const requests = Object.values(live.view.requests);
    const waiting = requests.filter((request) => request.phase === "waiting").length;
    if (answer.retryAfterS > 0) reply.code(503).header("retry-after", String(answer.retryAfterS));
    return reply.header("cache-control", "no-store").send({
      status: answer.status,
      model: live.engine?.modelId ?? null,
      noise_model: live.engine?.noiseModel ?? false,
      slots: live.engine?.slots ?? 0,
      requests_running: requests.length - waiting,
      requests_waiting: waiting,
    });
  };
  route(app, "/health", { get });
  route(app, "/v1/health", { get });
}
