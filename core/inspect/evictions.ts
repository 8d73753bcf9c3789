/** What an admission took from others: whose warm prefix went, what it costs to have it again, and who needs it next. */
import { prefillSeconds } from "../topas/cost";
import type { Action } from "../topas/decision";
import { callsToCome, stagesAhead } from "../topas/next-stages";
import type { SchedulerState } from "../topas/state";
import type { Eviction } from "./inspection";
import { count, spanWords } from "./words";

export function evictionsOf(state: SchedulerState, action: Action): Eviction[] {
  if (action.kind !== "admit") return [];
  return action.evicts.map((agent) => {
    const held = state.slots[action.slot];
    const isSlot = state.engine.budgetTokens === null;
    const tokens = isSlot ? (held?.tokens.length ?? 0) : (state.prefixes.get(agent)?.tokens.length ?? 0);
    const againMs = Math.round(1000 * prefillSeconds(state.engine.costs, tokens));
    const where = isSlot ? `slot ${action.slot}` : "the KV cache";
    const sentence = `${agent} loses ${count(tokens)} tokens in ${where}, ${spanWords(againMs)} to compute again; ${whoNeeds(state, agent)}.`;
    return { agent, slot: isSlot ? action.slot : null, tokens, againMs, sentence };
  });
}

function whoNeeds(state: SchedulerState, agent: string): string {
  const waiting = [...state.requests.values()].filter(({ slot, spec }) => slot === null && spec.agent === agent).length;
  const next = stagesAhead(state).get(agent) ?? 0;
  const later = callsToCome(state).get(agent) ?? 0;
  if (waiting > 0) return `${waiting} waiting ${waiting === 1 ? "request needs" : "requests need"} it`;
  if (next > 0) return `${next} ${next === 1 ? "stage needs" : "stages need"} it next`;
  return later > 0
    ? `called ${later === 1 ? "once" : `${later} times`} later in the tasks under way`
    : "no task under way calls it";
}
