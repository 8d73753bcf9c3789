/** Throws when an act of the user is not heeded: somebody is admitted into a pause, or a pinned prefix is gone. */
import type { TopasEvent } from "../../../core/topas/events";
import type { SchedulerState, SlotState } from "../../../core/topas/state";

export class ActWatch {
  #isPaused = false;
  /** Pinned agents whose prefix was in the KV cache after the input before. */
  #kept = new Set<string>();

  take(state: SchedulerState, events: readonly TopasEvent[]): void {
    const others = { lost: false, failed: false };
    for (const event of events) {
      if (event.kind === "queue.paused") this.#isPaused = true;
      if (event.kind === "queue.resumed") this.#isPaused = false;
      if (event.kind === "engine.lost" || event.kind === "engine.ready") others.lost = true;
      if (event.kind === "request.failed") others.failed = true;
      if (event.kind === "request.admitted" && this.#isPaused) throw new Error(`${event.requestId} ran into a pause.`);
    }
    const resident = agentsIn(state, ({ tokens, requestId }) => tokens.length > 0 || requestId !== null);
    const held = agentsIn(state, ({ tokens }) => tokens.length > 0);
    const isExcused = others.lost || others.failed || state.engine.budgetTokens !== null;
    for (const agent of this.#kept) {
      if (!isExcused && state.pinned.has(agent) && !resident.has(agent))
        throw new Error(`${agent} is pinned and gone.`);
    }
    this.#kept = new Set([...state.pinned].filter((agent) => held.has(agent)));
    if (state.engine.budgetTokens === null && state.pinned.size >= Math.max(1, state.slots.length)) {
      throw new Error(`${state.pinned.size} prefixes are pinned in ${state.slots.length} slots.`);
    }
  }
}

function agentsIn({ slots }: SchedulerState, counts: (slot: SlotState) => boolean): ReadonlySet<string> {
  return new Set(slots.filter(counts).flatMap(({ agent }) => agent ?? []));
}
