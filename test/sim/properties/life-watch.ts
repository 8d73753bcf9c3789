/** Follows each request from its arrival to its end and throws when one is lost, runs twice or is given a wrong token. */
import type { TopasEvent } from "../../../core/topas/events";
import type { SchedulerState } from "../../../core/topas/state";
import type { SmallWorld } from "./small-world";

export class LifeWatch {
  readonly #phase = new Map<string, "waiting" | "running" | "over">();
  readonly #drawn = new Map<string, number>();
  #refused = 0;

  take(event: TopasEvent): void {
    switch (event.kind) {
      case "request.arrived":
        return this.#move(event.request.requestId, undefined, "waiting");
      case "request.admitted":
        return this.#move(event.requestId, "waiting", "running");
      case "request.preempted":
      case "request.requeued":
        return this.#move(event.requestId, "running", "waiting");
      // Finished while it waits: it was parked with the step under way that drew its last token.
      case "request.finished":
      case "request.failed":
      case "request.cancelled":
        return this.#end(event.requestId);
      case "request.refused":
        this.#refused += 1;
        return;
      case "batch.stepped":
      case "batch.finished":
        for (const { requestId, token } of event.answers) this.#draw(requestId, token);
        return;
      default:
        return;
    }
  }

  #end(requestId: string): void {
    const phase = this.#phase.get(requestId);
    if (phase === undefined || phase === "over")
      throw new Error(`${requestId} was ${phase ?? "not there"} when it ended.`);
    this.#phase.set(requestId, "over");
  }

  #move(requestId: string, from: "waiting" | "running" | undefined, to: "waiting" | "running"): void {
    const phase = this.#phase.get(requestId);
    if (phase !== from) throw new Error(`${requestId} was ${phase ?? "not there"} when it came to be ${to}.`);
    this.#phase.set(requestId, to);
  }

  /** Tokens are numbered in the order they are drawn. */
  #draw(requestId: string, token: number): void {
    const before = this.#drawn.get(requestId) ?? 0;
    if (token !== 1_000_001 + before) throw new Error(`${requestId} was given ${token} after ${before} tokens.`);
    this.#drawn.set(requestId, before + 1);
  }

  end(state: SchedulerState, { calls, engine, outages }: SmallWorld): void {
    const notOver = [...this.#phase].find(([, phase]) => phase !== "over");
    if (notOver !== undefined) throw new Error(`${notOver[0]} is ${notOver[1]} in the end.`);
    if (this.#phase.size + this.#refused !== calls.length) {
      throw new Error(
        `${calls.length} requests were sent, ${this.#phase.size} arrived, ${this.#refused} were refused.`,
      );
    }
    if (state.requests.size + state.tasks.size > 0) throw new Error("Requests or tasks are left in the end.");
    const busy = state.slots.find(({ requestId }) => requestId !== null);
    if (busy !== undefined) throw new Error(`Slot ${busy.slot} is busy in the end.`);
    for (const { request, outputTokens, cancelledAfterMs } of calls) {
      const room = engine.slotTokens - request.promptTokens.length;
      if (room < 1 || cancelledAfterMs !== null) continue;
      const wanted = Math.min(outputTokens, request.maxTokens ?? room, room);
      const drawn = this.#drawn.get(request.requestId) ?? 0;
      // An engine that comes back tells whether a request that has grown still fits.
      if (drawn !== wanted && outages.length === 0) {
        throw new Error(`${request.requestId} was given ${drawn} tokens of ${wanted}.`);
      }
    }
  }
}
