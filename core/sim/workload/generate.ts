/**
 * A workload as the simulation takes it. Everything that chance decides is drawn ahead, task by task from generators of
 * their own, so that the same seed gives every policy the same trace. A task's prompts are built when the one before it came.
 */
import type { Milliseconds, TaskId, WorkflowId } from "../../contract/ids";
import type { OutsideInput } from "../../topas/inputs";
import type { Workload } from "../simulate";
import { drawArrivals } from "./draw-arrivals";
import { drawTask, type PlannedCall, textsOf } from "./draw-task";
import { prefixTokens } from "./prefixes";
import { randomFor } from "./seed";
import type { WorkflowSpec, WorkloadSpec } from "./spec";
import { declaredWorkflow } from "./stage-names";
import { TaskSender } from "./task-sender";

export interface TraceOptions {
  readonly spec: WorkloadSpec;
  readonly seed: number;
  readonly tasks: number;
  /** Mean time between two tasks; 0 = all are there at once. */
  readonly meanGapMs: Milliseconds;
}

export interface TracedTask {
  readonly taskId: TaskId;
  readonly workflowId: WorkflowId;
  readonly arrivedAtMs: Milliseconds;
  readonly calls: readonly PlannedCall[];
  /** When its last answer was there; null until then. */
  finishedAtMs: Milliseconds | null;
}

/** Also knows when each task was over, as its client saw it: a loop's length is not the scheduler's to know. */
export interface TracedWorkload extends Workload {
  readonly tasks: readonly TracedTask[];
}

export function generateWorkload(options: TraceOptions): TracedWorkload {
  const { spec } = options;
  const prefixes = prefixTokens(spec);
  let textsBefore = 0;
  const senders = drawTasks(options).map((task, index) => {
    const sender = new TaskSender({ task, index, textsBefore, prefixes });
    textsBefore += textsOf(task.calls);
    return sender;
  });
  const senderOf = new Map(senders.flatMap((sender) => sender.task.calls.map((call) => [call.requestId, sender])));
  return {
    first: [...spec.workflows.map(declaration), ...(senders[0]?.begin() ?? [])],
    lengths: new Map(senders.flatMap(({ task }) => task.calls.map((call) => [call.requestId, call.outputTokens]))),
    tasks: senders.map(({ task }) => task),
    answer(event) {
      switch (event.kind) {
        case "request.arrived": {
          const sender = senderOf.get(event.request.requestId);
          return sender?.opensWith(event.request.requestId) ? (senders[sender.index + 1]?.begin() ?? []) : [];
        }
        case "batch.stepped":
        case "batch.finished":
          for (const { requestId, token } of event.answers) senderOf.get(requestId)?.noteToken(requestId, token);
          return [];
        case "request.finished":
          return senderOf.get(event.requestId)?.finish(event.requestId, event.atMs) ?? [];
        default:
          return [];
      }
    },
  };
}

function drawTasks({ spec, seed, tasks, meanGapMs }: TraceOptions): readonly TracedTask[] {
  const random = randomFor("arrivals", spec.name, seed);
  return drawArrivals(spec.arrivals, { count: tasks, meanGapMs, random }).map((arrivedAtMs, index) => {
    const random = randomFor("task", spec.name, seed, index);
    const workflow = drawWorkflow(spec.workflows, random.next());
    const taskId = `${workflow.id}/${index + 1}`;
    const calls = drawTask(workflow, taskId, random);
    return { taskId, workflowId: workflow.id, arrivedAtMs, calls, finishedAtMs: null };
  });
}

function drawWorkflow(workflows: readonly WorkflowSpec[], chance: number): WorkflowSpec {
  let left = chance * workflows.reduce((sum, { share }) => sum + share, 0);
  for (const workflow of workflows) {
    left -= workflow.share;
    if (left < 0) return workflow;
  }
  return workflows.at(-1) as WorkflowSpec;
}

function declaration(workflow: WorkflowSpec): OutsideInput {
  return { origin: "outside", kind: "workflow.declared", atMs: 0, workflow: declaredWorkflow(workflow) };
}
