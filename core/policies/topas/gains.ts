/**
 * What running a request is worth: how much sooner its task can end, and what the task's age adds. Gains follow one another:
 * with a sibling counted as served a request is credited only with what it still shortens. Two weights make it a rate, as in
 * Smith's rule (1956): a task with little left counts for more, and a request that holds its room for long gains no more by that.
 */
import type { Seconds, StageId, TaskId } from "../../contract/ids";
import type { SchedulerConfig } from "../../topas/config";
import type { Estimates } from "../../topas/estimates";
import { fairShares } from "../../topas/fairness";
import { grahamBound, parallelism, remaining } from "../../topas/path";
import { requestSeconds } from "../../topas/service";
import type { RequestState, SchedulerState, TaskState } from "../../topas/state";

export interface Gain {
  readonly progress: Seconds;
  /** (g - 1) * progress */
  readonly age: Seconds;
  /** (w - 1) * (progress + age) by the priority class */
  readonly priority: Seconds;
  /** (f - 1) * all of these by how much its client or agent had lately */
  readonly fairness: Seconds;
}

export function worthOf({ progress, age, priority, fairness }: Gain): Seconds {
  return progress + age + priority + fairness;
}

export interface ProgressGains {
  /** `served`: requests of the same task that the plan has admitted already. */
  of(request: RequestState, served: readonly RequestState[]): Gain;
  /** What a running request would be worth if it waited: the credit that stopping it takes back. */
  ofRunning(request: RequestState): Seconds;
}

const nothing: Gain = { progress: 0, age: 0, priority: 0, fairness: 0 };

export function progressGains(state: SchedulerState, config: SchedulerConfig, estimates: Estimates): ProgressGains {
  const speedup = config.fanOut === "graham" ? parallelism(state) : Number.POSITIVE_INFINITY;
  const lengthOf = (task: TaskState, served: readonly RequestState[]) =>
    grahamBound(
      remaining(state, task, (request) => request.slot !== null || served.includes(request), estimates),
      speedup,
    );
  const lengths = new Map<TaskId, Seconds>();
  for (const task of state.tasks.values()) lengths.set(task.taskId, lengthOf(task, []));
  const left = [...lengths.values()].filter((seconds) => seconds > 0);
  const mean = left.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, left.length);
  const meanService = meanServiceSeconds(state, estimates);
  const first = new Map<RequestState, Gain>();
  const share = config.terms.fairness ? fairShares(state, config) : () => 1;

  /** What a fall of the task's length is worth: more for a task with little left, and by what the request's room is held for. */
  function rate(request: RequestState, length: Seconds): number {
    const own = requestSeconds(state, request, estimates.outputOf(request));
    return (mean / Math.max(length, 1e-3)) ** config.shortTaskShare * (meanService / Math.max(own, 1e-3));
  }

  function gain(request: RequestState, served: readonly RequestState[]): Gain {
    const task = state.tasks.get(request.spec.taskId);
    if (task === undefined) return nothing;
    const length = lengths.get(task.taskId) ?? 0;
    const before = served.length === 0 ? length : lengthOf(task, served);
    const group = config.fanOut === "group" ? siblings(state, estimates, request, served) : [request];
    const progress = ((before - lengthOf(task, [...served, ...group])) / group.length) * rate(request, length);
    const age = progress * (ageing(state, config, task) - 1);
    // Nothing is added to -0, which a file would lose.
    const priority = 0 + (progress + age) * (priorityWeight(config, request) - 1);
    const fairness = 0 + (progress + age + priority) * (share(request) - 1);
    return { progress, age, priority, fairness };
  }

  return {
    ofRunning(request) {
      const task = state.tasks.get(request.spec.taskId);
      if (task === undefined) return 0;
      const isServed = (other: RequestState) => other.slot !== null && other !== request;
      const without = grahamBound(remaining(state, task, isServed, estimates), speedup);
      const progress = (without - (lengths.get(task.taskId) ?? 0)) * rate(request, without);
      return progress * ageing(state, config, task) * priorityWeight(config, request) * share(request);
    },
    of(request, served) {
      if (served.length > 0) return gain(request, served);
      const known = first.get(request) ?? gain(request, served);
      first.set(request, known);
      return known;
    },
  };
}

/** Waiting requests of the same task whose answers the same stages need, or that no stage is known of; itself included. */
function siblings(
  state: SchedulerState,
  estimates: Estimates,
  request: RequestState,
  served: readonly RequestState[],
): RequestState[] {
  const { workflowId, taskId, stageId } = request.spec;
  const stages = (workflowId === null ? undefined : state.workflows.get(workflowId)?.stages) ?? [];
  const consumersOf = (id: StageId | null) =>
    stages.flatMap((stage) => (id !== null && stage.after.includes(id) ? [stage.id] : [])).join();
  const consumers = consumersOf(stageId);
  const isSibling = ({ spec }: RequestState) =>
    stageId === null ? spec.stageId === null : consumers !== "" && consumersOf(spec.stageId) === consumers;
  const open = estimates.openRequestsOf(taskId);
  const others = open.filter((other) => other !== request && other.slot === null && !served.includes(other));
  return [request, ...others.filter(isSibling)];
}

/** Of all open requests, alone in the engine. */
function meanServiceSeconds(state: SchedulerState, estimates: Estimates): Seconds {
  let sum = 0;
  for (const request of state.requests.values()) sum += requestSeconds(state, request, estimates.outputOf(request));
  return sum / Math.max(1, state.requests.size);
}

function priorityWeight({ terms, priorityWeight: weight }: SchedulerConfig, { spec }: RequestState): number {
  if (!terms.priority || spec.priority === undefined) return 1;
  return spec.priority === "high" ? weight : 1 / weight;
}

/** g = 1 + rho * ln(1 + age / H). H follows the tasks' mean JCT: what counts as old depends on how long tasks take. */
function ageing(state: SchedulerState, config: SchedulerConfig, task: TaskState): number {
  if (!config.terms.age) return 1;
  const waitedMs = Math.max(0, state.nowMs - task.startedAtMs);
  const halfMs = state.meanJctMs === null ? config.ageingHalfMs : state.meanJctMs * config.ageingJctShare;
  return 1 + config.ageingStrength * Math.log(1 + waitedMs / Math.max(1, halfMs));
}
