/** Which tasks get a block, which only a word in a line: the pane's room goes to what moves. */
import type { TaskView } from "../../../core/view/view";
import { hasStarted } from "../../words/tasks";

export interface SplitTasks {
  readonly blocks: readonly TaskView[];
  readonly notStarted: readonly TaskView[];
  readonly finished: readonly TaskView[];
}

/** Tasks of declared workflows; while nothing has started at all, every task gets its block. */
export function splitTasks(tasks: readonly TaskView[]): SplitTasks {
  const own = tasks.filter((task) => task.workflowId !== null);
  const inFlight = own.filter((task) => task.finishedAtMs === null);
  const finished = own.filter((task) => task.finishedAtMs !== null);
  const started = inFlight.filter(hasStarted);
  if (started.length === 0) return { blocks: inFlight, notStarted: [], finished };
  return { blocks: started, notStarted: inFlight.filter((task) => !hasStarted(task)), finished };
}
