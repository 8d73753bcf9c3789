/** Folds the window's view beside the run and throws where it says something else than the state. */
import type { PolicyName } from "../../../core/contract/policy-name";
import type { TopasEvent } from "../../../core/topas/events";
import type { SchedulerState } from "../../../core/topas/state";
import { emptyView, foldEvent } from "../../../core/view/fold";
import { toViewEvent } from "../../../core/view/view-event";

export class ViewWatch {
  #view;

  constructor(policy: PolicyName) {
    this.#view = emptyView(policy);
  }

  take(state: SchedulerState, events: readonly TopasEvent[]): void {
    for (const event of events) this.#view = foldEvent(this.#view, toViewEvent(event));
    const view = this.#view;
    compare("requests", Object.keys(view.requests).sort(), [...state.requests.keys()].sort());
    const running = [...state.requests.values()].filter(({ slot }) => slot !== null).map(({ spec }) => spec.requestId);
    const shown = Object.values(view.requests).filter(({ slot }) => slot !== null);
    compare("running requests", shown.map(({ requestId }) => requestId).sort(), running.sort());
    compare("policy", view.policy, state.policy);
    compare("phase", view.engine.phase, state.engine.phase);
    // While the engine is down the window shows what has to come back; a token pool has no slots to show.
    if (state.engine.phase === "down" || state.engine.budgetTokens !== null) return;
    compare(
      "slots",
      view.slots.map(({ requestId, heldTokens }) => [requestId, heldTokens]),
      state.slots.map(({ requestId, tokens }) => [requestId, tokens.length]),
    );
  }
}

function compare(what: string, shown: unknown, real: unknown): void {
  const [one, other] = [JSON.stringify(shown), JSON.stringify(real)];
  if (one !== other) throw new Error(`The ${what} are shown as ${one} and are ${other}.`);
}
