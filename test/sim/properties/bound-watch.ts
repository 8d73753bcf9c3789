/** Throws when TOPAS lets a request that has waited longer than the bound wait for anything but its room. */
import { waitBoundMs } from "../../../core/policies/topas/overdue";
import type { SchedulerConfig } from "../../../core/topas/config";
import type { TopasEvent } from "../../../core/topas/events";
import { kvPool, leastRecentlyUsed } from "../../../core/topas/pool";
import type { SchedulerState } from "../../../core/topas/state";

interface Waiting {
  readonly arrival: number;
  readonly sinceMs: number;
}

export class BoundWatch {
  readonly #config: SchedulerConfig;
  readonly #waiting = new Map<string, Waiting>();
  readonly #arrivals = new Map<string, number>();
  /** Steps that went by while the first one over the bound had room. */
  #stepsWithRoom = 0;

  constructor(config: SchedulerConfig) {
    this.#config = config;
  }

  take(state: SchedulerState, events: readonly TopasEvent[]): void {
    const boundMs = waitBoundMs(state, this.#config);
    for (const event of events) this.#note(event, boundMs);
    this.#requireProgress(state, events, boundMs);
  }

  #note(event: TopasEvent, boundMs: number): void {
    switch (event.kind) {
      case "request.arrived":
        this.#arrivals.set(event.request.requestId, event.arrival);
        return this.#wait(event.request.requestId, event.atMs);
      case "request.preempted":
      case "request.requeued":
        return this.#wait(event.requestId, event.atMs);
      case "request.admitted": {
        const first = this.#firstOver(event.atMs, boundMs);
        if (first !== null && first !== event.requestId) {
          throw new Error(
            `${event.requestId} was admitted at ${event.atMs} ms before ${first}, which is over the bound.`,
          );
        }
        this.#waiting.delete(event.requestId);
        return;
      }
      case "request.finished":
      case "request.failed":
      case "request.cancelled":
        this.#waiting.delete(event.requestId);
        return;
      default:
        return;
    }
  }

  #wait(requestId: string, sinceMs: number): void {
    this.#waiting.set(requestId, { arrival: this.#arrivals.get(requestId) ?? 0, sinceMs });
  }

  /** The oldest of those that are over the bound. */
  #firstOver(nowMs: number, boundMs: number): string | null {
    const over = [...this.#waiting].filter(([, { sinceMs }]) => nowMs - sinceMs >= boundMs);
    over.sort(([, a], [, b]) => a.arrival - b.arrival);
    return over[0]?.[0] ?? null;
  }

  #requireProgress(state: SchedulerState, events: readonly TopasEvent[], boundMs: number): void {
    const request = state.requests.get(this.#firstOver(state.nowMs, boundMs) ?? "");
    const hasRoom =
      request !== undefined &&
      state.engine.phase === "ready" &&
      !state.isPaused &&
      kvPool(state).place(state, request, leastRecentlyUsed) !== null;
    if (!hasRoom) this.#stepsWithRoom = 0;
    else
      this.#stepsWithRoom += events.filter(({ kind }) => kind === "batch.stepped" || kind === "batch.finished").length;
    if (this.#stepsWithRoom > this.#config.decideEverySteps) {
      throw new Error(`${request?.spec.requestId} is over the bound and has room, but was not admitted.`);
    }
  }
}
