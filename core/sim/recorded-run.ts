/**
 * What a what-if keeps of a recording: who asked for what and when, what was answered, and the machine. When to send a
 * request again it tells by what its task was waiting for, so that a slower policy does not get its questions too early.
 */
import type { AgentId, Milliseconds, RequestId, TaskId, Token } from "../contract/ids";
import type { TopasEvent } from "../topas/events";
import type { EngineInput, Input, OutsideInput, RequestSpec } from "../topas/inputs";
import type { Workflow } from "../topas/workflow";

type Ready = Extract<EngineInput, { kind: "engine.ready" }>;

export interface RecordedRequest {
  readonly request: RequestSpec;
  readonly atMs: Milliseconds;
  /** Requests of its task whose ends it waited for. */
  readonly after: readonly RequestId[];
  /** From the last of these ends to its arrival, as recorded. */
  readonly gapMs: Milliseconds;
  readonly tokens: Token[];
  /** Its answer ended by itself. Else only its limit or its client ends it. */
  isWhole: boolean;
  endedAtMs: Milliseconds | null;
  cancelled: { readonly atMs: Milliseconds; readonly reason: string } | null;
}

export class RecordedRun {
  readonly requests = new Map<RequestId, RecordedRequest>();
  /** Workflows, policies and announcements. */
  readonly announcements: OutsideInput[] = [];
  /** Agents in the order in which their requests were admitted. */
  readonly calls: AgentId[] = [];
  engine: Ready | null = null;
  /** While anything was open. */
  engineLosses = 0;
  readonly #workflows = new Map<string, Workflow>();
  readonly #ofTask = new Map<TaskId, RecordedRequest[]>();

  input(input: Input): void {
    switch (input.kind) {
      case "workflow.declared":
        this.#workflows.set(input.workflow.workflowId, input.workflow);
        this.announcements.push(input);
        return;
      case "workflow.withdrawn":
      case "policy.chosen":
      case "queue.paused":
      case "queue.resumed":
      case "request.moved_up":
      case "request.move_undone":
      case "prefix.pinned":
      case "prefix.unpinned":
      case "trace.announced":
        this.announcements.push(input);
        return;
      case "engine.ready":
        this.engine ??= input;
        return;
      case "engine.lost":
        if ([...this.requests.values()].some(({ endedAtMs }) => endedAtMs === null)) this.engineLosses += 1;
        return;
      case "request.cancelled": {
        const cancelled = this.requests.get(input.requestId);
        if (cancelled?.endedAtMs === null) cancelled.cancelled = { atMs: input.atMs, reason: input.reason };
        return;
      }
      case "request.submitted":
      case "engine.given_up":
      case "batch.stepped":
      case "batch.finished":
      case "alarm.rang":
        return;
      default:
        input satisfies never;
    }
  }

  event(event: TopasEvent): void {
    switch (event.kind) {
      case "request.arrived":
        return this.#arrive(event.request, event.atMs);
      case "request.admitted": {
        const agent = this.requests.get(event.requestId)?.request.agent;
        if (agent !== undefined) this.calls.push(agent);
        return;
      }
      case "batch.stepped":
      case "batch.finished":
        for (const { requestId, token } of event.answers) this.requests.get(requestId)?.tokens.push(token);
        return;
      case "request.finished":
      case "request.cancelled":
      case "request.failed": {
        const ended = this.requests.get(event.requestId);
        if (ended === undefined) return;
        ended.endedAtMs = event.atMs;
        ended.isWhole = event.kind === "request.finished" && event.reason !== "length";
        return;
      }
      default:
        return;
    }
  }

  #arrive(request: RequestSpec, atMs: Milliseconds): void {
    const ofTask = this.#ofTask.get(request.taskId) ?? [];
    this.#ofTask.set(request.taskId, ofTask);
    const before = this.#before(request, ofTask);
    const gapMs = atMs - Math.max(0, ...before.map(({ endedAtMs }) => endedAtMs ?? 0));
    const after = before.map((other) => other.request.requestId);
    const recorded = { request, atMs, after, gapMs, tokens: [], isWhole: false, endedAtMs: null, cancelled: null };
    ofTask.push(recorded);
    this.requests.set(request.requestId, recorded);
  }

  /** What it waited for: a graph without loops says it; where there is none, everything that was over may have been. */
  #before(request: RequestSpec, ofTask: readonly RecordedRequest[]): readonly RecordedRequest[] {
    const over = ofTask.filter(({ endedAtMs }) => endedAtMs !== null);
    const stages = request.workflowId === null ? undefined : this.#workflows.get(request.workflowId)?.stages;
    const stage = stages?.find(({ id }) => id === request.stageId);
    if (stage !== undefined && stages?.every(({ expectedCalls }) => expectedCalls === 1)) {
      return over.filter((other) => other.request.stageId !== null && stage.after.includes(other.request.stageId));
    }
    // The latest of them waited for all that was over when it came, so those need not be named again.
    const latestMs = over.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
    return over.filter(({ endedAtMs }) => (endedAtMs ?? 0) >= latestMs);
  }
}
