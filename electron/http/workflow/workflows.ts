/** `PUT /v1/workflows/{id}` declares a workflow, `DELETE` withdraws it, `POST /v1/workflows/import` reads another program's; `GET` shows what is in force. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Workflow } from "../../../core/topas/workflow";
import { ApiError } from "../api-error";
import type { HttpContext } from "../http-context";
import { cleanName } from "../identity/identity";
import { route } from "../route";
import { importWorkflow } from "./import-workflow";
import { type Declaration, type MatchRule, readWorkflow } from "./workflow-body";

export const workflowsMax = 256;

export function registerWorkflows(app: FastifyInstance, { live, matches }: HttpContext): void {
  const shown = (workflow: Workflow) => workflowObject(workflow, matches.of(workflow.workflowId));

  function declare({ workflow, match }: Declaration): object {
    const { workflows } = live.view;
    if (!Object.hasOwn(workflows, workflow.workflowId) && Object.keys(workflows).length >= workflowsMax) {
      throw new ApiError("too_many_workflows", `${workflowsMax} workflows are declared, which is the limit.`);
    }
    matches.declare(workflow.workflowId, match);
    live.declareWorkflow(workflow);
    return shown(workflow);
  }

  function known(id: string): Workflow {
    const workflow = Object.hasOwn(live.view.workflows, id) ? live.view.workflows[id] : undefined;
    if (workflow) return workflow;
    throw new ApiError("workflow_not_found", `There is no workflow '${id}'. Declare it with PUT /v1/workflows/${id}.`);
  }

  route(app, "/v1/workflows", {
    get: async () => ({ object: "list", data: Object.values(live.view.workflows).map(shown) }),
  });
  route(app, "/v1/workflows/import", {
    get: async () => shown(known("import")),
    post: async (request) => {
      const declaration = importWorkflow(request.body);
      checkId(declaration.workflow.workflowId);
      return declare(declaration);
    },
  });
  route(app, "/v1/workflows/:id", {
    get: async (request) => shown(known(idOf(request))),
    put: async (request) => declare(readWorkflow(idOf(request), request.body)),
    delete: async (request) => {
      const { workflowId } = known(idOf(request));
      matches.withdraw(workflowId);
      live.withdrawWorkflow(workflowId);
      return { object: "workflow.deleted", id: workflowId, deleted: true };
    },
  });
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  return checkId(id);
}

function checkId(id: string): string {
  if (id !== "" && cleanName(id) === id) return id;
  throw new ApiError("invalid_value", "A workflow's id has 1 to 128 characters without control characters.", {
    param: "id",
  });
}

function workflowObject({ workflowId, name, stages }: Workflow, match: readonly MatchRule[]): object {
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
    match: match.map(({ systemPrefix, agent, stage }) => ({ agent, stage, system_prefix: systemPrefix })),
  };
}
