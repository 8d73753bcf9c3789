/**
 * A run as Chrome's trace format, which ui.perfetto.dev opens: a track for each slot with what it computed, a track with the
 * decisions, the waiting of each request as a span of its own, the queue's length as a counter, and arrows between the
 * requests of one task. Times in microseconds since the server started.
 */
import type { RequestId, TaskId } from "../contract/ids";
import { foldEvent } from "./fold";
import type { LiveView, RequestView } from "./view";
import type { ViewEvent } from "./view-event";

type Arguments = Readonly<Record<string, string | number | boolean | null>>;

export interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  /** M = name of a track, X = span, b and e = span beside the tracks, i = instant, C = counter, s and f = arrow. */
  readonly ph: "M" | "X" | "b" | "e" | "i" | "C" | "s" | "f";
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly id?: string;
  readonly s?: "p";
  readonly bp?: "e";
  readonly args?: Arguments;
}

const pid = 1;
const schedulerTrack = 1;
const trackOf = (slot: number) => 10 + slot;
const microseconds = (ms: number) => Math.round(ms * 1000);

/** Feed it every event in order, then ask for the end. */
export class ChromeTrace {
  #view: LiveView;
  #slots = 0;
  /** Since when each running request is in its present phase. */
  readonly #since = new Map<RequestId, number>();
  readonly #waiting = new Set<RequestId>();
  /** Where the last ended request of each task was: the arrow to its next one begins there. */
  readonly #ended = new Map<TaskId, { readonly atMs: number; readonly slot: number }>();
  #arrows = 0;

  constructor(start: LiveView) {
    this.#view = start;
    for (const request of Object.values(start.requests)) {
      if (request.slot !== null) this.#since.set(request.requestId, start.atMs);
    }
  }

  /** Names of the tracks and what is open already; first of all. */
  begin(): TraceEvent[] {
    const { atMs } = this.#view;
    const named = [
      meta("process_name", schedulerTrack, { name: "TOPAS Desktop" }),
      meta("thread_name", schedulerTrack, { name: "Decisions" }),
      meta("thread_sort_index", schedulerTrack, { sort_index: 0 }),
    ];
    const waiting = Object.values(this.#view.requests).filter(({ slot }) => slot === null);
    return [...named, ...this.#tracks(), ...waiting.map((request) => this.#beginWait(request, atMs))];
  }

  take(event: ViewEvent): TraceEvent[] {
    const before = this.#view;
    this.#view = foldEvent(before, event);
    const { atMs } = event;
    switch (event.kind) {
      case "engine.ready":
        return this.#tracks();
      case "engine.lost": {
        const lost = instant("engine lost", "engine", atMs, { reason: event.reason });
        return [...this.#endAll(before, atMs), lost];
      }
      case "policy.chosen":
        return [instant(`policy ${event.policy}`, "policy", atMs, { policy: event.policy })];
      case "request.arrived":
        return [
          ...this.#maybe(event.request.requestId, (request) => this.#beginWait(request, atMs)),
          this.#queue(atMs),
        ];
      case "request.admitted":
        return this.#admit(event.requestId, atMs);
      case "request.requeued":
        return this.#maybe(event.requestId, (request) => this.#beginWait(request, atMs));
      case "request.preempted":
        return [
          ...this.#end(before.requests[event.requestId], atMs),
          ...this.#maybe(event.requestId, (request) => this.#beginWait(request, atMs)),
        ];
      case "batch.stepped":
      case "batch.finished":
        return event.drawn.flatMap((id) => this.#firstToken(before.requests[id], atMs));
      case "request.finished":
      case "request.cancelled":
      case "request.failed":
        return [...this.#leave(before.requests[event.requestId], atMs), this.#queue(atMs)];
      case "decision.made": {
        const { number, policy, trigger, verdict, candidates } = event.decision;
        const [winner, second] = candidates;
        const score = winner?.score ?? null;
        const runnerUp = second?.score ?? null;
        const facts = { number, policy, trigger, verdict, candidates: candidates.length, score, runnerUp };
        return [instant(winner?.action.kind ?? "hold", "decision", atMs, facts)];
      }
      default:
        return [];
    }
  }

  /** Ends what is still open. */
  end(): TraceEvent[] {
    const { atMs } = this.#view;
    const waits = Object.values(this.#view.requests).flatMap((request) => this.#endWait(request, atMs));
    return [...this.#endAll(this.#view, atMs), ...waits];
  }

  #tracks(): TraceEvent[] {
    const added: TraceEvent[] = [];
    for (; this.#slots < this.#view.engine.slots; this.#slots += 1) {
      const track = trackOf(this.#slots);
      added.push(meta("thread_name", track, { name: `Slot ${this.#slots}` }));
      added.push(meta("thread_sort_index", track, { sort_index: this.#slots + 1 }));
    }
    return added;
  }

  #maybe(id: RequestId, make: (request: RequestView) => TraceEvent): TraceEvent[] {
    const request = this.#view.requests[id];
    return request === undefined ? [] : [make(request)];
  }

  #beginWait(request: RequestView, atMs: number): TraceEvent {
    this.#waiting.add(request.requestId);
    return { ...waitOf(request, atMs), ph: "b", args: { agent: request.agent, promptTokens: request.promptTokens } };
  }

  #endWait(request: RequestView, atMs: number): TraceEvent[] {
    if (!this.#waiting.delete(request.requestId)) return [];
    return [{ ...waitOf(request, atMs), ph: "e" }];
  }

  #admit(id: RequestId, atMs: number): TraceEvent[] {
    const request = this.#view.requests[id];
    if (request === undefined) return [];
    this.#since.set(id, atMs);
    const waited = this.#endWait(request, atMs);
    const before = this.#ended.get(request.taskId);
    return [...waited, ...(before === undefined ? [] : this.#arrow(before, request, atMs)), this.#queue(atMs)];
  }

  #arrow(from: { readonly atMs: number; readonly slot: number }, to: RequestView, atMs: number): TraceEvent[] {
    if (to.slot === null) return [];
    this.#arrows += 1;
    const arrow = { name: "task", cat: "task", pid, id: String(this.#arrows) };
    // The arrow leaves from inside the span it belongs to, or nothing would be bound to it.
    const leaves = Math.max(0, microseconds(from.atMs) - 1);
    return [
      { ...arrow, ph: "s", ts: leaves, tid: trackOf(from.slot) },
      { ...arrow, ph: "f", bp: "e", ts: microseconds(atMs), tid: trackOf(to.slot) },
    ];
  }

  #firstToken(request: RequestView | undefined, atMs: number): TraceEvent[] {
    if (request?.phase !== "prefill") return [];
    const span = this.#span(request, "prefill", atMs);
    this.#since.set(request.requestId, atMs);
    return span;
  }

  #leave(request: RequestView | undefined, atMs: number): TraceEvent[] {
    if (request === undefined) return [];
    if (request.slot !== null) this.#ended.set(request.taskId, { atMs, slot: request.slot });
    return [...this.#end(request, atMs), ...this.#endWait(request, atMs)];
  }

  #end(request: RequestView | undefined, atMs: number): TraceEvent[] {
    if (request === undefined) return [];
    const span = this.#span(request, request.phase, atMs);
    this.#since.delete(request.requestId);
    return span;
  }

  #endAll(view: LiveView, atMs: number): TraceEvent[] {
    return Object.values(view.requests).flatMap((request) => this.#end(request, atMs));
  }

  #span(request: RequestView, name: string, atMs: number): TraceEvent[] {
    const since = this.#since.get(request.requestId);
    if (since === undefined || request.slot === null) return [];
    const { label, agent, taskId, stageId, promptTokens, generatedTokens, source } = request;
    const args = {
      request: label,
      agent,
      task: taskId,
      stage: stageId,
      promptTokens,
      generatedTokens,
      prefixFrom: source?.kind ?? null,
      prefixTokens: source?.tokens ?? 0,
    };
    const [ts, end] = [microseconds(since), microseconds(atMs)];
    return [{ name: `${name} ${label}`, cat: name, ph: "X", ts, dur: end - ts, pid, tid: trackOf(request.slot), args }];
  }

  #queue(atMs: number): TraceEvent {
    const waiting = Object.values(this.#view.requests).filter(({ slot }) => slot === null).length;
    const at = { cat: "queue", ph: "C", ts: microseconds(atMs), pid, tid: 0 } as const;
    return { name: "waiting requests", ...at, args: { waiting } };
  }
}

function waitOf({ requestId, label }: RequestView, atMs: number): Omit<TraceEvent, "ph"> {
  return { name: `wait ${label}`, cat: "wait", ts: microseconds(atMs), pid, tid: 0, id: requestId };
}

function meta(name: string, tid: number, args: Arguments): TraceEvent {
  return { name, cat: "__metadata", ph: "M", ts: 0, pid, tid, args };
}

function instant(name: string, cat: string, atMs: number, args: Arguments): TraceEvent {
  return { name, cat, ph: "i", ts: microseconds(atMs), pid, tid: schedulerTrack, s: "p", args };
}
