/** Counts what the KV cache holds, apart from the scheduler's own count, and throws when it is more than there is room for. */
import { brokenInvariants } from "../../../core/topas/invariants";
import type { SchedulerState } from "../../../core/topas/state";

export function watchRoom(state: SchedulerState): void {
  const [broken] = brokenInvariants(state);
  if (broken !== undefined) throw new Error(broken);
  const { budgetTokens } = state.engine;
  if (budgetTokens === null) return;
  let heldTokens = 0;
  for (const { readyTokens } of state.prefixes.values()) heldTokens += readyTokens;
  for (const { requestId, agent, tokens } of state.slots) {
    if (requestId === null && tokens.length > 0) throw new Error("A slot that nobody has holds tokens.");
    const prefix = agent === null ? undefined : state.prefixes.get(agent);
    heldTokens += Math.max(0, tokens.length - (prefix?.readyTokens ?? 0));
  }
  if (heldTokens > budgetTokens) throw new Error(`${heldTokens} tokens are held, there is room for ${budgetTokens}.`);
  for (const { spec, slot } of state.requests.values()) {
    if (slot === null || spec.prefixTokens === 0) continue;
    const prefix = state.prefixes.get(spec.agent);
    if (prefix?.tokens.length !== spec.prefixTokens) throw new Error(`${spec.requestId} runs without its prefix.`);
  }
}
