/** One task of a declared workflow: its title and its graph. */
import { memo, useEffect, useMemo, useRef } from "react";
import type { Milliseconds, TaskId } from "../../../core/contract/ids";
import { workLeftMs } from "../../../core/view/foresee";
import type { LiveView, StageView } from "../../../core/view/view";
import { LiveText } from "../../drawing/live-text";
import { useLive, useLiveShape } from "../../store/live-context";
import { age } from "../../words/figures";
import { type GraphPlan, type GraphSpace, planGraph } from "./graph-layout";
import { criticalEdges, graphNodes, liesAhead } from "./graph-shape";
import { StageNode } from "./stage-node";

interface Props {
  readonly taskId: TaskId;
  readonly space: GraphSpace;
}

const NONE: readonly StageView[] = [];

function stagesOf(view: LiveView, taskId: TaskId): readonly StageView[] {
  return view.tasks.find((task) => task.taskId === taskId)?.stages ?? NONE;
}

export const TaskBlock = memo(function TaskBlock({ taskId, space }: Props) {
  const title = useLiveShape(({ view }) => {
    const task = view.tasks.find((candidate) => candidate.taskId === taskId);
    return { name: task?.name ?? "", number: task?.number ?? 0, startedAtMs: task?.startedAtMs ?? 0 };
  });
  const down = useLive((state) => state.view.engine.phase === "down");
  // The layout hangs on ids and edges alone, so that a change of state never moves a node.
  const shape = useLive(({ view }) =>
    JSON.stringify(stagesOf(view, taskId).map(({ stageId, agent, after }) => [stageId, agent, after])),
  );
  const plan = useMemo(() => planOf(shape, space), [shape, space]);
  const scroller = useFirstOpenInSight(taskId, plan, space.width);
  return (
    // The browser need not draw blocks out of sight, and there may be dozens; the padding keeps what is drawn around nodes.
    <div className="-m-1 min-w-0 p-1 [contain-intrinsic-size:auto_112px] [content-visibility:auto]">
      <header className="flex h-6 items-baseline gap-2 text-12 whitespace-nowrap text-ink-2 short:h-5">
        <h3 className="truncate text-13 font-medium text-ink-1" dir="auto" title={title.name}>
          {title.name}
        </h3>
        <span>task {title.number}</span>
        <span className="flex-1" />
        <LiveText
          ticking
          title="Time since its first request came; the work that its stages took before, without the waiting between"
          read={({ view }, nowMs) =>
            `${age(nowMs - title.startedAtMs)} in${down ? ", held" : leftWords(view, taskId, nowMs)}`
          }
        />
      </header>
      <div ref={scroller} className="-m-1 overflow-x-auto overflow-y-hidden p-1">
        <div className="relative" style={{ width: plan.width, height: plan.height }}>
          <Edges taskId={taskId} plan={plan} />
          {plan.nodes.map((node) => (
            <div
              key={node.stageId}
              className="absolute"
              style={{ left: node.x, top: node.y, width: plan.nodeWidth, height: plan.nodeHeight }}
            >
              <StageNode taskId={taskId} members={node.members} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
});

const plans = new Map<string, GraphPlan>();
const PLANS_MAX = 200;

/** Tasks of one workflow have one layout, and making it takes longer than drawing it. */
function planOf(shape: string, space: GraphSpace): GraphPlan {
  const key = `${JSON.stringify(space)} ${shape}`;
  const known = plans.get(key);
  if (known !== undefined) return known;
  const rows = JSON.parse(shape) as [string, string | null, string[]][];
  const stages = rows.map(([stageId, agent, after]) => ({ ...emptyStage, stageId, agent, after }));
  const plan = planGraph(graphNodes(stages), space);
  if (plans.size >= PLANS_MAX) plans.clear();
  plans.set(key, plan);
  return plan;
}

/** A long chain is scrolled along with what runs: its first stage that is not done stays in sight. */
function useFirstOpenInSight(taskId: TaskId, plan: GraphPlan, width: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const first = useLive(({ view }) => stagesOf(view, taskId).find((stage) => stage.phase !== "done")?.stageId ?? null);
  const scrolledTo = useRef(0);
  useEffect(() => {
    const node = plan.nodes.find(({ members }) => first !== null && members.includes(first));
    const left = Math.max(0, node === undefined ? 0 : node.x - plan.nodeWidth);
    // Scrolling makes the browser lay out the page at once: never without need, and all blocks together in one frame.
    if (node === undefined || left === scrolledTo.current || plan.width <= width) return;
    scrolledTo.current = left;
    const asked = requestAnimationFrame(() => {
      if (scroller.current) scroller.current.scrollLeft = left;
    });
    return () => cancelAnimationFrame(asked);
  }, [plan, first, width]);
  return scroller;
}

function leftWords(view: LiveView, taskId: TaskId, nowMs: Milliseconds): string {
  const task = view.tasks.find((candidate) => candidate.taskId === taskId);
  const left = task === undefined ? null : workLeftMs(view, task, nowMs);
  return left === null || left <= 0 ? "" : `, about ${age(left)} of work left`;
}

/** A stage of which nothing is known but its place in the graph. */
export const emptyStage: StageView = {
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

function Edges({ taskId, plan }: { readonly taskId: TaskId; readonly plan: GraphPlan }) {
  const ahead = useLive(({ view }) => joined(stagesOf(view, taskId), (stage) => liesAhead(stage.phase)));
  const onPath = useLive(({ view }) => joined(stagesOf(view, taskId), (stage) => stage.onCriticalPath));
  const aheadIds = new Set(ahead.split("\n"));
  const column = new Map(plan.nodes.map((node) => [node.stageId, node.x]));
  const critical = criticalEdges(plan.edges, new Set(onPath.split("\n")), (stageId) => column.get(stageId) ?? 0);
  return (
    <svg className="edges" width={plan.width} height={plan.height} aria-hidden="true">
      {plan.edges.map((edge) => (
        <path
          key={`${edge.from}\n${edge.to}`}
          d={edge.path}
          className={`${critical.has(edge) ? "critical" : ""} ${aheadIds.has(edge.to) ? "ahead" : ""}`}
        />
      ))}
    </svg>
  );
}

function joined(stages: readonly StageView[], keep: (stage: StageView) => boolean): string {
  return stages
    .filter(keep)
    .map((stage) => stage.stageId)
    .join("\n");
}
