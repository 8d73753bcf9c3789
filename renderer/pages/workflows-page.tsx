/** The declared workflows: their stages as a graph, each with the time it took so far on average. */
import { useMemo } from "react";
import type { WorkflowId } from "../../core/contract/ids";
import type { Stage, Workflow } from "../../core/topas/workflow";
import { AgentTag, useAgentColours } from "../drawing/agent-tag";
import { planGraph } from "../panels/graph/graph-layout";
import { graphNodes } from "../panels/graph/graph-shape";
import { emptyStage } from "../panels/graph/task-block";
import { useLive, useLiveShape } from "../store/live-context";
import { counted, duration } from "../words/figures";
import { NothingYet, PageFrame } from "./page-parts";

const SPACE = { width: 880, nodeHeight: 46, rowGap: 8 };

export function WorkflowsPage() {
  const ids = useLiveShape(({ view }) => Object.keys(view.workflows));
  return (
    <PageFrame title="Workflows">
      {ids.length === 0 && (
        <NothingYet>
          No workflow is declared yet. One is declared by <code>PUT /v1/workflows/&lt;id&gt;</code>; the demo crew
          brings two.
        </NothingYet>
      )}
      {ids.map((id) => (
        <WorkflowSection key={id} id={id} />
      ))}
    </PageFrame>
  );
}

function WorkflowSection({ id }: { readonly id: WorkflowId }) {
  const workflow = useLive(({ view }) => view.workflows[id]);
  if (workflow === undefined) return null;
  return (
    <section aria-label={workflow.name}>
      <h2 className="flex gap-2 border-b border-hairline pb-2 text-13">
        {workflow.name} <span className="font-normal text-ink-2">{counted(workflow.stages.length, "stage")}</span>
        <code className="code ml-auto">{id}</code>
      </h2>
      <WorkflowGraph workflow={workflow} />
    </section>
  );
}

function WorkflowGraph({ workflow }: { readonly workflow: Workflow }) {
  const plan = useMemo(
    () =>
      planGraph(
        graphNodes(workflow.stages.map(({ id, agent, after }) => ({ ...emptyStage, stageId: id, agent, after }))),
        SPACE,
      ),
    [workflow],
  );
  return (
    <div className="overflow-x-auto py-4">
      <div className="relative" style={{ width: plan.width, height: plan.height }}>
        <svg className="edges" width={plan.width} height={plan.height} aria-hidden="true">
          {plan.edges.map((edge) => (
            <path key={`${edge.from}\n${edge.to}`} d={edge.path} />
          ))}
        </svg>
        {plan.nodes.map((node) => {
          const stage = workflow.stages.find((one) => one.id === node.stageId);
          return stage === undefined ? null : (
            <div
              key={node.stageId}
              className="absolute"
              style={{ left: node.x, top: node.y, width: plan.nodeWidth, height: plan.nodeHeight }}
            >
              <DeclaredStage workflowId={workflow.workflowId} stage={stage} members={node.members.length} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface StageProps {
  readonly workflowId: WorkflowId;
  readonly stage: Stage;
  readonly members: number;
}

function DeclaredStage({ workflowId, stage, members }: StageProps) {
  const colours = useAgentColours(stage.agent);
  const seen = useLive(({ view }) => view.stageMs[`${workflowId}/${stage.id}`]);
  const name = members > 1 ? `${stage.agent} × ${members}` : stage.id;
  return (
    <div className="node" data-phase="waiting" style={colours}>
      <span className="flex min-w-0 items-center gap-1.5 text-12 font-medium">
        <AgentTag name={stage.agent ?? stage.id} little />
        <span className="truncate" dir="auto" title={name}>
          {name}
        </span>
        <span className="ml-auto truncate text-11 font-normal text-ink-3" dir="auto">
          {members > 1 ? "" : stage.agent}
        </span>
      </span>
      <span className="truncate text-11 text-ink-2">
        {seen === undefined ? "not seen yet" : `${duration(seen.meanMs)} on average, ${counted(seen.count, "time")}`}
      </span>
    </div>
  );
}
