/** The queue in the scheduler's order, never sorted here, with a reason on each row; below it what is not ready yet. */
import { useMemo } from "react";
import type { LiveView, QueueRow } from "../../../core/view/view";
import { isLive } from "../../acts/is-live";
import { setQueuePaused } from "../../acts/server-acts";
import { Icon } from "../../drawing/icon";
import { Pane } from "../../drawing/pane";
import { stepSelection } from "../../drawing/selectable";
import { SimulatedMark } from "../../drawing/simulated-mark";
import { useLive, useLiveParts, useLiveShape } from "../../store/live-context";
import { duration, mean, median } from "../../words/figures";
import { notReadyRows } from "../../words/tasks";
import { collapseQueue } from "./collapse-queue";
import { NotReadyLine } from "./not-ready-line";
import { WaitingRow } from "./waiting-row";

const NOT_READY_MAX = 20;

export function QueuePanel() {
  return (
    <Pane
      title="Queue"
      testId="panel-queue"
      className="col-span-2 border-t border-hairline"
      beside={<QueueCounts />}
      aside={
        <>
          <QueueTimes />
          <PauseQueue />
        </>
      }
    >
      <QueueBody />
    </Pane>
  );
}

function useNotReady() {
  const tasks = useLive(({ view }) => view.tasks);
  return useMemo(() => notReadyRows(tasks), [tasks]);
}

function QueueCounts() {
  const ready = useLive(({ view }) => view.queue.length);
  const notReady = useNotReady().length;
  if (ready === 0 && notReady === 0) return null;
  return (
    <>
      {ready} ready, {notReady} not ready
    </>
  );
}

/** The queue, not the window: while it is paused nobody new starts. */
function PauseQueue() {
  const parts = useLiveParts();
  const paused = useLive(({ view }) => view.pausedSinceMs !== null);
  const live = useLive(isLive);
  const recorded = useLive(({ status }) => status.recording !== null);
  if (recorded) return null;
  return (
    <button
      type="button"
      className="button bare h-6"
      data-testid="pause-queue"
      disabled={!live}
      aria-pressed={paused}
      onClick={() => setQueuePaused(parts, !paused)}
    >
      <Icon name={paused ? "running" : "held"} small />
      {paused ? "Resume the queue" : "Pause the queue"}
    </button>
  );
}

function QueueTimes() {
  const ttft = useLive(({ view }) => median(view.recentTtftMs));
  const jct = useLive(({ view }) => mean(view.recentJctMs));
  return (
    <>
      {(ttft !== null || jct !== null) && <SimulatedMark />}
      {ttft !== null && (
        <span title="Time to first token, median of the last 100 requests">TTFT p50 {duration(ttft)}</span>
      )}
      {ttft !== null && jct !== null && <span className="text-ink-3">·</span>}
      {jct !== null && <span title="Job completion time, mean of the last 100 tasks">JCT mean {duration(jct)}</span>}
    </>
  );
}

function QueueBody() {
  const queue = useLive(({ view }) => view.queue);
  const order = useLiveShape(({ view }) => orderOf(view));
  const notReady = useNotReady();
  const { shown, rest } = collapseQueue(queue);
  const visible = new Set(shown.map((row) => row.requestId));
  if (queue.length === 0 && notReady.length === 0) return <p className="px-4 text-13 text-ink-2">Nothing waits.</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are laid out as a grid of their own, not as table cells
    <div
      role="grid"
      aria-label="Waiting requests"
      className="min-h-0 flex-1 overflow-y-auto"
      onKeyDown={stepSelection}
      tabIndex={-1}
    >
      {queue.length > 0 ? <HeadRow /> : <p className="px-4 pb-2 text-13 text-ink-2">Nothing waits.</p>}
      {order
        .filter((requestId) => visible.has(requestId))
        .map((requestId) => (
          <WaitingRow key={requestId} requestId={requestId} />
        ))}
      {rest !== null && <p className="border-t border-hairline px-4 py-2 text-12 text-ink-2">{rest}</p>}
      {notReady.slice(0, NOT_READY_MAX).map((row) => (
        <NotReadyLine key={`${row.taskId}\n${row.stage.stageId}`} row={row} />
      ))}
      {notReady.length > NOT_READY_MAX && (
        <p className="border-t border-hairline px-4 py-2 text-12 text-ink-2">
          … and {notReady.length - NOT_READY_MAX} more that are not ready.
        </p>
      )}
    </div>
  );
}

function orderOf(view: LiveView): readonly QueueRow["requestId"][] {
  return view.queue.map((row) => row.requestId);
}

function HeadRow() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: titles of a grid that is laid out as one, not a table
    // biome-ignore lint/a11y/useFocusableInteractive: titles are not selected
    <div role="row" className="queue-grid h-6 text-11 text-ink-3 short:h-5">
      {["#", "Agent and workflow", "Age", "Expected reuse, tokens", "Score, ms", "Why it waits"].map(
        (title, column) => (
          // biome-ignore lint/a11y/useSemanticElements: titles of a grid that is laid out as one, not a table
          // biome-ignore lint/a11y/useFocusableInteractive: titles are not selected
          <span
            role="columnheader"
            key={title}
            className={column === 0 || column === 2 || column === 4 ? "text-right" : ""}
          >
            {title}
          </span>
        ),
      )}
    </div>
  );
}
