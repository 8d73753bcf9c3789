/** The workflow graph: one block for each task in flight, then the ones that ended last in one line. */
import { useMemo, useRef } from "react";
import { Pane } from "../../drawing/pane";
import { stepSelection } from "../../drawing/selectable";
import { SimulatedMark } from "../../drawing/simulated-mark";
import { useMedia } from "../../drawing/use-media";
import { useWidth } from "../../drawing/use-width";
import { DemoStatusLine } from "../../screens/demo-status-line";
import { useLive, useLiveShape } from "../../store/live-context";
import { LoneBlock } from "./lone-block";
import { splitTasks } from "./split-tasks";
import { TaskBlock } from "./task-block";
import { FinishedLine, NotStartedLine } from "./task-lines";

export function GraphPanel() {
  return (
    <Pane
      title="Workflow graph"
      testId="panel-graph"
      className="border-r border-hairline"
      beside={<DemoStatusLine />}
      aside={<GraphKey />}
    >
      <GraphBody />
    </Pane>
  );
}

function GraphBody() {
  const body = useRef<HTMLDivElement>(null);
  const width = useWidth(body, 600) - 32;
  const short = useMedia("(max-height: 879px)");
  const space = useMemo(() => ({ width, nodeHeight: short ? 40 : 46, rowGap: short ? 4 : 8 }), [width, short]);
  const blocks = useLiveShape(({ view }) => splitTasks(view.tasks).blocks.map((task) => task.taskId));
  const empty = useLive(({ view }) => view.tasks.every((task) => task.finishedAtMs !== null));
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: moves the focus among the nodes inside it */}
      <div ref={body} className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-4 pb-2" onKeyDown={stepSelection}>
        {empty ? (
          <p className="text-13 text-ink-2">No task is in flight.</p>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 short:gap-2">
            {blocks.map((taskId) => (
              <TaskBlock key={taskId} taskId={taskId} space={space} />
            ))}
            <LoneBlock nodeHeight={space.nodeHeight} />
          </div>
        )}
      </div>
      <NotStartedLine />
      <FinishedLine />
    </>
  );
}

function GraphKey() {
  return (
    <>
      <SimulatedMark />
      <span className="inline-flex items-center gap-1.5 text-11">
        <svg width="16" height="4" aria-hidden="true">
          <path d="M0 2h16" stroke="var(--ink-1)" strokeWidth="2.5" />
        </svg>
        critical path
      </span>
      <span className="ml-2 inline-flex items-center gap-1.5 text-11">
        <svg width="16" height="12" aria-hidden="true">
          <rect x=".5" y=".5" width="15" height="11" rx="2" fill="none" stroke="var(--outline)" strokeDasharray="2 2" />
        </svg>
        predicted
      </span>
    </>
  );
}
