/** `PUT /v1/workflows/{id}` declares a workflow; `GET` shows what is in force. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Workflow } from "../../core/topas/workflow";
import { ApiError } from "./api-error";
import type { HttpContext } from "./http-context";
import { cleanName } from "./identity/identity";
import { route } from "./route";
import { readWorkflow } from "./workflow-body";

export const workflowsMax = 256;

export function registerWorkflows(app: FastifyInstance, { live }: HttpContext): void {
  route(app, "/v1/workflows", {
    get: async () => ({ object: "list", data: Object.values(live.view.workflows).map(workflowObject) }),
  });
  route(app, "/v1/workflows/:id", {
    get: async (request) => {
      const id = idOf(request);
      const workflow = Object.hasOwn(live.view.workflows, id) ? live.view.workflows[id] : undefined;
      if (workflow) return workflowObject(workflow);
      throw new ApiError(
        "workflow_not_found",
        `There is no workflow '${id}'. Declare it with PUT /v1/workflows/${id}.`,
      );
    },
    put: async (request) => {
      const id = idOf(request);
      const workflow = readWorkflow(id, request.body);
      const { workflows } = live.view;
      if (!Object.hasOwn(workflows, id) && Object.keys(workflows).length >= workflowsMax) {
        throw new ApiError("too_many_workflows", `${workflowsMax} workflows are declared, which is the limit.`);
      }
      live.declareWorkflow(workflow);
      return workflowObject(workflow);
    },
  });
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (id !== "" && cleanName(id) === id) return id;
  throw new ApiError("invalid_value", "A workflow's id has 1 to 128 characters without control characters.", {
    param: "id",
  });
}

function workflowObject({ workflowId, name, stages }: Workflow): object {
  return {
    object: "workflow",
    id: workflowId,
    workflow: name,
    stages: stages.map((stage) => ({
      id: stage.id,
      agent: stage.agent,
      after: stage.after,
      expect: { calls: stage.expectedCalls, output_tokens: stage.expectedOutputTokens },
    })),
  };
}
