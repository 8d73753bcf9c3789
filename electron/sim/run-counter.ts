/** Counts one run while it goes on, and writes its journal where one is wanted. It changes nothing of it. */
import type { RequestId } from "../../core/contract/ids";
import type { TracedWorkload } from "../../core/sim/workload/generate";
import type { TopasEvent } from "../../core/topas/events";
import type { Input, RequestSpec } from "../../core/topas/inputs";
import { receive } from "../../core/topas/receive";
import type { Journal } from "../trace/journal";
import type { RunFigures } from "./job";

export class RunCounter {
  readonly #journal: Journal | null;
  readonly #open = new Map<RequestId, RequestSpec>();
  readonly #decisionMs: number[] = [];
  readonly #count = {
    requests: 0,
    promptTokens: 0,
    reusedTokens: 0,
    restoredTokens: 0,
    movedTokens: 0,
    preemptions: 0,
    decisions: 0,
  };

  constructor(journal: Journal | null) {
    this.#journal = journal;
  }

  /** The scheduler, timed: what an input took that made it decide, and nothing of the simulation around it. */
  readonly receive: typeof receive = (state, input, config) => {
    const startedAtMs = performance.now();
    const received = receive(state, input, config);
    const tookMs = performance.now() - startedAtMs;
    if (received.events.some(({ kind }) => kind === "decision.made")) this.#decisionMs.push(tookMs);
    return received;
  };

  note(input: Input, events: readonly TopasEvent[]): void {
    this.#journal?.write({ kind: "input", input });
    for (const event of events) {
      this.#journal?.write({ kind: "event", event });
      this.#take(event);
    }
  }

  figures({ tasks }: TracedWorkload): RunFigures {
    const jctMs = tasks.map(({ taskId, arrivedAtMs, finishedAtMs }) => {
      if (finishedAtMs === null) throw new Error(`Task ${taskId} never ended: the scheduler left requests waiting.`);
      return finishedAtMs - arrivedAtMs;
    });
    const makespanMs = Math.max(...tasks.map(({ finishedAtMs }) => finishedAtMs ?? 0));
    return { jctMs, makespanMs, ...this.#count, decisionMs: this.#decisionMs };
  }

  #take(event: TopasEvent): void {
    switch (event.kind) {
      case "request.arrived":
        this.#count.requests += 1;
        this.#open.set(event.request.requestId, event.request);
        return;
      case "request.admitted":
        return this.#admit(event);
      case "request.finished":
        this.#open.delete(event.requestId);
        return;
      case "request.preempted":
        this.#count.preemptions += 1;
        return;
      case "decision.made":
        this.#count.decisions += 1;
        return;
      case "request.refused":
        throw new Error(`Request ${event.requestId} was refused: ${event.refusal.message}`);
      case "request.failed":
        throw new Error(`Request ${event.requestId} failed: ${event.message}`);
      default:
        return;
    }
  }

  #admit({ requestId, source }: Extract<TopasEvent, { kind: "request.admitted" }>): void {
    const request = this.#open.get(requestId);
    if (request === undefined) throw new Error(`Request ${requestId} was admitted but had not arrived.`);
    const promptTokens = request.promptTokens.length;
    const found = Math.min(source.tokens, promptTokens); // a parked request finds what it generated too
    const isRestored = source.kind === "restore";
    const reused = isRestored ? 0 : found;
    this.#count.promptTokens += promptTokens;
    this.#count.reusedTokens += reused;
    this.#count.restoredTokens += isRestored ? found : 0;
    this.#count.movedTokens += request.prefixTokens - Math.min(request.prefixTokens, reused);
  }
}
