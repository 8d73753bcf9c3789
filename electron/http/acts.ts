/**
 * What the user may do to the queue over HTTP: pause and resume it, move a request up, cancel one, pin an agent's prefix. Each answer
 * says how it is and names the call that undoes it.
 */
import type { FastifyInstance } from "fastify";
import type { Live, UserAct } from "../live/live";
import { ApiError } from "./api-error";
import type { HttpContext } from "./http-context";
import { route } from "./route";

export function registerActs(app: FastifyInstance, { live }: HttpContext): void {
  registerQueueActs(app, live);
  registerRequestActs(app, live);
  registerPins(app, live);
}

/** Pausing what is paused changes nothing and is no error. */
function registerQueueActs(app: FastifyInstance, live: Live): void {
  const set = (paused: boolean) => async () => {
    if ((live.view.pausedSinceMs !== null) !== paused) live.act({ kind: paused ? "queue.paused" : "queue.resumed" });
    return { object: "queue", paused, undo: `POST /v1/queue/${paused ? "resume" : "pause"}` };
  };
  route(app, "/v1/queue/pause", { post: set(true) });
  route(app, "/v1/queue/resume", { post: set(false) });
}

function registerRequestActs(app: FastifyInstance, live: Live): void {
  route(app, "/v1/requests/:id/move-up", {
    post: async (request) => {
      const id = openRequest(live, request.params);
      perform(live, { kind: "request.moved_up", requestId: id });
      const undo = `DELETE /v1/requests/${encodeURIComponent(id)}/move-up`;
      return { object: "request", request_id: id, moved_up: true, undo };
    },
    delete: async (request) => {
      const id = openRequest(live, request.params);
      perform(live, { kind: "request.move_undone", requestId: id });
      const undo = `POST /v1/requests/${encodeURIComponent(id)}/move-up`;
      return { object: "request", request_id: id, moved_up: false, undo };
    },
  });
  route(app, "/v1/requests/:id/cancel", {
    post: async (request) => {
      const id = openRequest(live, request.params);
      live.cancel(id, "Cancelled over the API.");
      return { object: "request", request_id: id, cancelled: true, undo: null };
    },
  });
}

function registerPins(app: FastifyInstance, live: Live): void {
  const pin = (agent: string) => {
    const { slots } = live.view;
    const undo = `DELETE /v1/pins/${encodeURIComponent(agent)}`;
    return { object: "pin", agent, resident: slots.some((slot) => slot.agent === agent), undo };
  };
  route(app, "/v1/pins", {
    get: async () => ({ object: "list", data: live.view.pinned.map(pin) }),
  });
  // A wildcard, because an agent's name may hold slashes; it arrives decoded.
  route(app, "/v1/pins/*", {
    put: async (request) => {
      const agent = agentOf(request.params);
      if (!live.view.pinned.includes(agent)) {
        if (!live.view.agents.includes(agent))
          throw new ApiError("agent_not_found", unknownAgent(agent), { param: "agent" });
        perform(live, { kind: "prefix.pinned", agent });
      }
      return pin(agent);
    },
    delete: async (request) => {
      const agent = agentOf(request.params);
      if (!live.view.pinned.includes(agent)) {
        throw new ApiError("agent_not_found", `The prefix of '${agent}' is not pinned.`, { param: "agent" });
      }
      perform(live, { kind: "prefix.unpinned", agent });
      return { object: "pin", agent, deleted: true, undo: `PUT /v1/pins/${encodeURIComponent(agent)}` };
    },
  });
}

function perform(live: Live, act: UserAct): void {
  const problem = live.act(act);
  if (problem !== null) throw new ApiError("act_not_possible", problem);
}

/** By its own id, or by that of the answer's body. */
function openRequest({ view: { requests } }: Live, params: unknown): string {
  const { id } = params as { id: string };
  const found = [id, id.replace(/^(chatcmpl|cmpl)-/, "")].find((name) => Object.hasOwn(requests, name));
  if (found !== undefined) return found;
  throw new ApiError("request_not_found", `There is no open request '${id}'.`, { param: "id" });
}

function agentOf(params: unknown): string {
  return (params as { "*": string })["*"];
}

function unknownAgent(agent: string): string {
  return `No request of an agent '${agent}' has come yet, so there is no prefix to pin.`;
}
