/** How long each task took as its client saw it: from its first request's arrival to the end of its last one. */
import type { Milliseconds, RequestId, TaskId } from "../contract/ids";
import type { TopasEvent } from "../topas/events";

interface TaskTime {
  readonly startedAtMs: Milliseconds;
  endedAtMs: Milliseconds;
  open: number;
}

export class TaskTimes {
  readonly #tasks = new Map<TaskId, TaskTime>();
  readonly #taskOf = new Map<RequestId, TaskTime>();

  take(event: TopasEvent): void {
    switch (event.kind) {
      case "request.arrived": {
        const { requestId, taskId } = event.request;
        const task = this.#tasks.get(taskId) ?? { startedAtMs: event.atMs, endedAtMs: event.atMs, open: 0 };
        task.open += 1;
        this.#tasks.set(taskId, task);
        this.#taskOf.set(requestId, task);
        return;
      }
      case "request.finished":
      case "request.cancelled":
      case "request.failed": {
        const task = this.#taskOf.get(event.requestId);
        if (task === undefined) return;
        task.open -= 1;
        task.endedAtMs = event.atMs;
        return;
      }
      default:
        return;
    }
  }

  /** Of the tasks that have nothing open, in the order they came. */
  jctMs(): ReadonlyMap<TaskId, Milliseconds> {
    const over = [...this.#tasks].filter(([, { open }]) => open === 0);
    return new Map(over.map(([taskId, { startedAtMs, endedAtMs }]) => [taskId, endedAtMs - startedAtMs]));
  }
}
