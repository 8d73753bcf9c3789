/** From a request's identity to the scheduler's ids: which agent, which task, which stage of which workflow. */
import type { AgentId, RequestId, StageId, TaskId, WorkflowId } from "../../../core/contract/ids";
import type { Workflow } from "../../../core/topas/workflow";
import type { Claim, Identity } from "./identity";

export interface Placement {
  readonly agent: AgentId;
  readonly taskId: TaskId;
  readonly workflowId: WorkflowId | null;
  readonly stageId: StageId | null;
}

export type DeclaredWorkflows = Readonly<Record<WorkflowId, Workflow>>;

export function placeRequest(identity: Identity, requestId: RequestId, workflows: DeclaredWorkflows): Placement {
  const stageId = identity.stage?.value ?? null;
  const workflowId = identity.workflow?.value ?? onlyWorkflowWith(stageId, workflows);
  const stages =
    workflowId !== null && Object.hasOwn(workflows, workflowId) ? workflows[workflowId]?.stages : undefined;
  const stageAgent = stages?.find((stage) => stage.id === stageId)?.agent ?? null;
  return {
    agent: (isExplicit(identity.agent) ? null : stageAgent) ?? identity.agent?.value ?? "chat",
    taskId: taskOf(identity, workflowId) ?? (requestId as string),
    workflowId,
    stageId,
  };
}

function isExplicit(claim: Claim | undefined): boolean {
  return claim?.carrier === "header" || claim?.carrier === "body" || claim?.carrier === "baggage";
}

/** A client that sends only run and stage is understood while one workflow alone has such a stage. */
function onlyWorkflowWith(stageId: StageId | null, workflows: DeclaredWorkflows): WorkflowId | null {
  if (stageId === null) return null;
  const having = Object.values(workflows).filter(({ stages }) => stages.some((stage) => stage.id === stageId));
  return having.length === 1 ? (having[0]?.workflowId ?? null) : null;
}

/** A trace is weaker than a session that the client names itself: it may span more than one, or only one call. */
export function taskNameOf({ run, session, parentSession }: Identity): string | null {
  const trace = run?.carrier === "traceparent";
  const named = trace ? (parentSession ?? session ?? run) : (run ?? parentSession ?? session);
  return named?.value ?? null;
}

function taskOf(identity: Identity, workflowId: WorkflowId | null): TaskId | null {
  const name = taskNameOf(identity);
  // Encoded, so that the first slash is the border and runs of two workflows never get one name.
  return name === null || workflowId === null ? name : `${encodeURIComponent(workflowId)}/${name}`;
}
