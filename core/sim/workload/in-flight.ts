/** A closed loop: so many tasks are under way at all times, the next begins when one is over. Measures what a machine can do. */
import type { TaskId } from "../../contract/ids";
import type { OutsideInput } from "../../topas/inputs";
import type { TracedWorkload } from "./generate";

/** The workload's own arrival times must all be 0. */
export function keepInFlight(workload: TracedWorkload, tasksMax: number): TracedWorkload {
  const begun = new Set<TaskId>();
  const held: OutsideInput[] = [];
  const taskOf = new Map(workload.tasks.flatMap((task) => task.calls.map((call) => [call.requestId, task])));
  let underWay = 0;

  /** An opening that is held holds up all after it: a task is sent only when the one before it arrived. */
  const admit = (input: OutsideInput): boolean => {
    if (input.kind !== "request.submitted" || begun.has(input.request.taskId)) return true;
    if (underWay >= tasksMax) {
      held.push(input);
      return false;
    }
    begun.add(input.request.taskId);
    underWay += 1;
    return true;
  };

  return {
    ...workload,
    first: workload.first.filter(admit),
    answer(event) {
      const inputs = workload.answer(event).filter(admit);
      const task = event.kind === "request.finished" ? taskOf.get(event.requestId) : undefined;
      if (task === undefined || task.finishedAtMs === null) return inputs;
      underWay -= 1;
      const next = held.splice(0).map((input) => ({ ...input, atMs: event.atMs }));
      return [...inputs, ...next.filter(admit)];
    },
  };
}
