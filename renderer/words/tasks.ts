/** Names of tasks and what a stage waits for, in words. */
import type { TaskId } from "../../core/contract/ids";
import type { LiveView, StageView, TaskView } from "../../core/view/view";
import { listed } from "./figures";

export interface NotReadyRow {
  readonly taskId: TaskId;
  readonly stage: StageView;
  readonly flow: string;
  readonly sentence: string;
  readonly code: "WAITS_FOR_PARENT" | "WAITS_FOR_CLIENT";
}

/** "Code crew, task 4"; "no workflow" for a request that belongs to none. */
export function flowName(view: LiveView, taskId: TaskId): string {
  const task = view.tasks.find((candidate) => candidate.taskId === taskId);
  return task && task.workflowId !== null ? `${task.name}, task ${task.number}` : "no workflow";
}

/** Something of it has been admitted once; before that all of it waits in the queue. */
export function hasStarted(task: TaskView): boolean {
  return task.stages.some((stage) => stage.startedAtMs !== null || stage.phase === "running" || stage.phase === "done");
}

/** Stages that cannot start before others have answered, in the order of the tasks. */
export function notReadyRows(tasks: readonly TaskView[]): readonly NotReadyRow[] {
  return tasks
    .filter((task) => task.finishedAtMs === null && hasStarted(task))
    .flatMap((task) =>
      task.stages
        .filter((stage) => stage.phase === "next" || stage.phase === "not_ready")
        .map((stage) => ({
          taskId: task.taskId,
          stage,
          flow: task.workflowId === null ? "no workflow" : `${task.name}, task ${task.number}`,
          ...reason(task, stage),
        })),
    );
}

function reason(task: TaskView, stage: StageView): Pick<NotReadyRow, "sentence" | "code"> {
  const open = stage.after
    .map((id) => task.stages.find((candidate) => candidate.stageId === id))
    .filter((parent): parent is StageView => parent !== undefined && parent.phase !== "done")
    .map((parent) => parent.label);
  const names = [...new Set(open)].map((name) => severalOf(name, open.filter((other) => other === name).length));
  if (open.length === 0) return { code: "WAITS_FOR_CLIENT", sentence: "Its client has not sent it yet." };
  const answers = open.length === 1 ? "answer" : "answers";
  return { code: "WAITS_FOR_PARENT", sentence: `Needs the ${answers} of ${listed(names)}.` };
}

function severalOf(name: string, number: number): string {
  return number === 1 ? name : `${name} × ${number}`;
}
