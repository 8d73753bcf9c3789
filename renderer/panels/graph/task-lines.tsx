/** Two lines under the graphs: tasks that still wait as a whole, and the last ones that ended with the time each took. */
import { useMemo } from "react";
import type { TaskView } from "../../../core/view/view";
import { AgentTag, useAgentColours } from "../../drawing/agent-tag";
import { Selectable } from "../../drawing/selectable";
import { useLive } from "../../store/live-context";
import { requestKey } from "../../store/selection";
import { duration } from "../../words/figures";
import { splitTasks } from "./split-tasks";

/** What does not fit goes into a line of its own, which is not seen. */
const LINE =
  "flex h-7 flex-none flex-wrap content-start items-center gap-x-3 overflow-hidden px-4 text-12 whitespace-nowrap text-ink-2";

function useSplitTasks() {
  const tasks = useLive(({ view }) => view.tasks);
  return useMemo(() => splitTasks(tasks), [tasks]);
}

export function NotStartedLine() {
  const { notStarted } = useSplitTasks();
  if (notStarted.length === 0) return null;
  return (
    <div className={LINE}>
      <span className="leading-7">Not started</span>
      {notStarted.map((task) => (
        <TaskName key={task.taskId} task={task} />
      ))}
    </div>
  );
}

export function FinishedLine() {
  const { finished } = useSplitTasks();
  if (finished.length === 0) return null;
  return (
    <div className={`${LINE} low:hidden`}>
      <span className="leading-7">Finished</span>
      {finished.map((task) => (
        <TaskName key={task.taskId} task={task} />
      ))}
    </div>
  );
}

function TaskName({ task }: { readonly task: TaskView }) {
  const first = task.stages[0];
  const colours = useAgentColours(first?.agent ?? null);
  const waiting = task.stages.find((stage) => stage.phase === "waiting")?.requestId ?? null;
  return (
    <Selectable
      selectionKey={waiting === null ? null : requestKey(waiting)}
      className="flex h-7 max-w-full flex-none items-center gap-1.5 rounded-3 pr-1.5 aria-pressed:rounded-none aria-pressed:pl-2 aria-pressed:[box-shadow:inset_2px_0_0_var(--ink-1)]"
      style={colours}
      testId="task-name"
    >
      <AgentTag name={first?.agent ?? task.name} little />
      <span className="truncate" dir="auto">
        {task.name}, task {task.number}
      </span>
      {task.finishedAtMs !== null && (
        <span className="text-ink-3">in {duration(task.finishedAtMs - task.startedAtMs)}</span>
      )}
    </Selectable>
  );
}
