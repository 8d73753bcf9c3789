/** `PUT /v1/agents/{name}` names an agent and makes its API key, by which every client can say who it is; `GET` and `DELETE`. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError } from "../api-error";
import { fieldError } from "../field-error";
import type { HttpContext } from "../http-context";
import { cleanName } from "../identity/identity";
import { route } from "../route";
import { absent } from "../zod-absent";
import { agentsMax, type NamedAgent } from "./agent-store";

export const agentSchema = z.object({
  workflow: absent(z.string().refine((name) => name !== "" && cleanName(name) === name, "it must be a plain name")),
});

export function registerAgents(app: FastifyInstance, { agents }: HttpContext): void {
  route(app, "/v1/agents", { get: async () => ({ object: "list", data: agents.all.map(agentObject) }) });
  route(app, "/v1/agents/:name", {
    get: async (request) => agentObject(known(request)),
    put: async (request) => {
      const name = nameOf(request);
      const read = agentSchema.safeParse(request.body ?? {});
      if (!read.success) throw fieldError(read.error.issues, request.body);
      if (agents.get(name) === null && agents.all.length >= agentsMax) {
        const message = `${agentsMax} agents are named, which is the limit. Delete one first.`;
        throw new ApiError("invalid_value", message, { param: "name" });
      }
      const key = agents.create(name, read.data.workflow ?? null, Math.floor(Date.now() / 1000));
      return { ...agentObject(known(request)), key };
    },
    delete: async (request) => {
      const { name } = known(request);
      agents.delete(name);
      return { object: "agent.deleted", name, deleted: true };
    },
  });

  function known(request: FastifyRequest): NamedAgent {
    const name = nameOf(request);
    const agent = agents.get(name);
    if (agent !== null) return agent;
    throw new ApiError("agent_not_found", `There is no named agent '${name}'.`, { param: "name" });
  }
}

function nameOf(request: FastifyRequest): string {
  const { name } = request.params as { name: string };
  if (name !== "" && cleanName(name) === name) return name;
  const message = "An agent's name has 1 to 128 characters without control characters.";
  throw new ApiError("invalid_value", message, { param: "name" });
}

function agentObject({ name, workflow, createdAtS }: NamedAgent): object {
  return { object: "agent", name, workflow, created: createdAtS };
}
