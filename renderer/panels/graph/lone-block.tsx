/** Requests that belong to no declared workflow, as single nodes; many of one agent stand together. */
import { memo } from "react";
import type { AgentId, TaskId } from "../../../core/contract/ids";
import type { StagePhase, StageView, TaskView } from "../../../core/view/view";
import { AgentTag, useAgentColours } from "../../drawing/agent-tag";
import { useLive } from "../../store/live-context";
import { counted } from "../../words/figures";
import { phaseCounts, ROW_MAX } from "./graph-shape";
import { StageNode } from "./stage-node";

interface LoneNode {
  readonly taskId: TaskId;
  readonly stage: StageView;
}

/** More than fit; what runs stands first. The queue tells of the others. */
export const LONE_MAX = 24;

export function loneNodes(tasks: readonly TaskView[]): readonly LoneNode[] {
  return tasks
    .filter((task) => task.workflowId === null && task.finishedAtMs === null)
    .flatMap((task) =>
      task.stages.filter((stage) => stage.phase !== "done").map((stage) => ({ taskId: task.taskId, stage })),
    );
}

export const LoneBlock = memo(function LoneBlock({ nodeHeight }: { readonly nodeHeight: number }) {
  const tasks = useLive(({ view }) => view.tasks);
  const all = loneNodes(tasks);
  const runs = (node: LoneNode) => node.stage.phase === "running";
  const nodes = [...all.filter(runs), ...all.filter((node) => !runs(node))].slice(0, LONE_MAX);
  if (nodes.length === 0) return null;
  const byAgent = new Map<AgentId | null, LoneNode[]>();
  for (const node of nodes) byAgent.set(node.stage.agent, [...(byAgent.get(node.stage.agent) ?? []), node]);
  return (
    <div className="min-w-0">
      <header className="flex h-6 items-baseline gap-2 text-12 text-ink-2 short:h-5">
        <h3 className="text-13 font-medium text-ink-1">No workflow</h3>
        <span>
          {counted(all.length, "request")}
          {all.length > nodes.length && `, the first ${nodes.length} shown`}
        </span>
      </header>
      <div
        className="grid gap-2"
        style={{ gridTemplateColumns: "repeat(auto-fill, minmax(150px, 1fr))", gridAutoRows: nodeHeight }}
      >
        {[...byAgent].map(([agent, own]) =>
          own.length > ROW_MAX ? (
            <LoneGroup key={`all of ${agent}`} agent={agent} phases={own.map((node) => node.stage.phase)} />
          ) : (
            own.map(({ taskId, stage }) => (
              <StageNode key={`${taskId}\n${stage.stageId}`} taskId={taskId} members={[stage.stageId]} />
            ))
          ),
        )}
      </div>
    </div>
  );
});

function LoneGroup({ agent, phases }: { readonly agent: AgentId | null; readonly phases: readonly StagePhase[] }) {
  const colours = useAgentColours(agent);
  const phase = phases.includes("running") ? "running" : "waiting";
  return (
    <div className="node" style={colours} data-testid="node" data-phase={phase}>
      <span className="flex items-center gap-1.5 text-12 font-medium">
        <AgentTag name={agent ?? "–"} little />
        {agent} × {phases.length}
      </span>
      <span className="truncate text-11 text-ink-2">{phaseCounts(phases)}</span>
    </div>
  );
}
