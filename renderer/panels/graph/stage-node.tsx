/** One node: agent, request, slot, state with icon and word, and a bar while it runs. */
import type { Milliseconds, StageId, TaskId } from "../../../core/contract/ids";
import { dueMs } from "../../../core/view/foresee";
import type { LiveView, StagePhase, StageView } from "../../../core/view/view";
import { AgentTag, useAgentColours } from "../../drawing/agent-tag";
import { Icon } from "../../drawing/icon";
import { LiveBar, LiveText } from "../../drawing/live-text";
import { Selectable } from "../../drawing/selectable";
import { useLiveShape } from "../../store/live-context";
import { stageKey } from "../../store/selection";
import { liesAhead, phaseCounts } from "./graph-shape";
import { progressShare, type StageNow, stageIcon, stageText } from "./stage-words";

interface Props {
  readonly taskId: TaskId;
  /** More than one when equal stages stand together. */
  readonly members: readonly StageId[];
}

const nowhere: StageView = {
  stageId: "",
  agent: null,
  after: [],
  phase: "not_ready",
  requestId: null,
  label: "",
  startedAtMs: null,
  finishedAtMs: null,
  onCriticalPath: false,
};

function stageNow(view: LiveView, taskId: TaskId, stageId: StageId): StageNow {
  const task = view.tasks.find((candidate) => candidate.taskId === taskId);
  const stage = task?.stages.find((candidate) => candidate.stageId === stageId) ?? nowhere;
  return { stage, request: stage.requestId === null ? undefined : view.requests[stage.requestId] };
}

export function StageNode({ taskId, members }: Props) {
  const [first] = members;
  if (first === undefined) return null;
  if (members.length > 1) return <StageGroup taskId={taskId} members={members} />;
  return <SingleNode taskId={taskId} stageId={first} />;
}

function SingleNode({ taskId, stageId }: { readonly taskId: TaskId; readonly stageId: StageId }) {
  const shape = useLiveShape(({ view }) => {
    const now = stageNow(view, taskId, stageId);
    const { stage, request } = now;
    return {
      agent: stage.agent,
      label: stage.label || stageId,
      phase: stage.phase,
      requestId: stage.requestId,
      critical: stage.onCriticalPath,
      icon: stageIcon(now),
      where: whereText(view, stage, request?.slot ?? null),
    };
  });
  const colours = useAgentColours(shape.agent);
  const faint = liesAhead(shape.phase);
  const due = (view: LiveView, nowMs: Milliseconds) => {
    const task = view.tasks.find((candidate) => candidate.taskId === taskId);
    const stage = task?.stages.find((candidate) => candidate.stageId === stageId);
    return task && stage ? dueMs(view, task, stage, nowMs) : null;
  };
  return (
    <Selectable
      selectionKey={stageKey(taskId, { stageId, requestId: shape.requestId })}
      className="node"
      style={colours}
      testId="node"
      data={{ "data-phase": shape.phase, "data-critical": shape.critical ? "" : undefined }}
    >
      <span className="flex min-w-0 items-center gap-1.5 text-12 font-medium whitespace-nowrap">
        <AgentTag name={shape.agent ?? shape.label} little hollow={faint} />
        <span className={`truncate ${nameInk(shape.phase)}`} dir="auto" title={shape.label}>
          {shape.label}
        </span>
        <span className="ml-auto flex-none text-11 font-normal text-ink-3">{shape.where}</span>
      </span>
      <span
        className={`flex items-center gap-1 text-11 whitespace-nowrap ${shape.phase === "not_ready" ? "text-ink-3" : "text-ink-2"}`}
      >
        <Icon name={shape.icon} small />
        <LiveText
          className="min-w-0 truncate"
          ticking={shape.phase === "waiting" || shape.phase === "next"}
          read={({ view }, nowMs) => stageText({ ...stageNow(view, taskId, stageId), dueMs: due(view, nowMs) }, nowMs)}
        />
      </span>
      {shape.phase === "running" && (
        <span className="absolute inset-x-0 bottom-0 h-[3px] bg-control">
          <LiveBar
            className="h-full bg-agent"
            read={({ view }) => progressShare(stageNow(view, taskId, stageId).request)}
          />
        </span>
      )}
    </Selectable>
  );
}

/** Equal stages that stand together: how many are in which state. */
function StageGroup({ taskId, members }: Props) {
  const shape = useLiveShape(({ view }) => {
    const stages = members.map((stageId) => stageNow(view, taskId, stageId).stage);
    const phases = stages.map((stage) => stage.phase);
    return {
      agent: stages[0]?.agent ?? null,
      phase: groupPhase(phases),
      counts: phaseCounts(phases),
      critical: stages.some((stage) => stage.onCriticalPath),
    };
  });
  const colours = useAgentColours(shape.agent);
  return (
    <Selectable
      selectionKey={null}
      className="node"
      style={colours}
      testId="node"
      title={shape.counts}
      data={{ "data-phase": shape.phase, "data-critical": shape.critical ? "" : undefined }}
    >
      <span className="flex min-w-0 items-center gap-1.5 text-12 font-medium whitespace-nowrap">
        <AgentTag name={shape.agent ?? "–"} little hollow={liesAhead(shape.phase)} />
        <span className={`truncate ${nameInk(shape.phase)}`} dir="auto">
          {shape.agent} × {members.length}
        </span>
      </span>
      <span className="truncate text-11 text-ink-2">{shape.counts}</span>
    </Selectable>
  );
}

function groupPhase(phases: readonly StagePhase[]): StagePhase {
  const order: readonly StagePhase[] = ["running", "waiting", "next", "not_ready"];
  return order.find((phase) => phases.includes(phase)) ?? "done";
}

function nameInk(phase: StagePhase): string {
  if (phase === "not_ready") return "font-normal text-ink-3";
  return phase === "done" ? "text-ink-2" : "text-ink-1";
}

/** The slot it runs in, or that its agent's prefix lies in while it is still to come. */
function whereText(view: LiveView, stage: StageView, slot: number | null): string {
  if (slot !== null) return `slot ${slot}`;
  if (!liesAhead(stage.phase) || stage.agent === null || view.engine.phase === "down") return "";
  const warm = view.slots.some((candidate) => candidate.agent === stage.agent && candidate.prefixTokens > 0);
  return warm ? "warm" : "";
}
