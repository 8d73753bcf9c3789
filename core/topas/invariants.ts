/** What must hold after every input. Each broken rule is one sentence; an empty list is a sound state. */
import type { SchedulerState } from "./state";
import { freeBudget } from "./token-pool";

export function brokenInvariants(state: SchedulerState): string[] {
  const broken: string[] = [];
  const slotOf = new Map(
    state.slots.filter((slot) => slot.requestId !== null).map((slot) => [slot.requestId, slot.slot]),
  );
  for (const request of state.requests.values()) {
    const { requestId } = request.spec;
    if (request.slot !== (slotOf.get(requestId) ?? null)) broken.push(`${requestId} and its slot do not agree.`);
    const held = request.slot === null ? undefined : state.slots[request.slot];
    const known = [...request.spec.promptTokens, ...request.generated];
    if (held && held.tokens.length >= known.length) broken.push(`${requestId} has nothing left to evaluate.`);
    if (held?.tokens.some((token, at) => token !== known[at]))
      broken.push(`Slot ${held.slot} holds tokens of another.`);
  }
  if (state.engine.budgetTokens !== null && freeBudget(state) < 0) broken.push("The token pool is over its budget.");
  let stored = 0;
  for (const { tokens } of state.store.values()) stored += tokens.length;
  if (stored > state.engine.storeTokens) broken.push("The warm store is over its room.");
  for (const slot of state.slots) {
    if (slot.tokens.length > state.engine.slotTokens) broken.push(`Slot ${slot.slot} holds more than it can.`);
    if (slot.requestId !== null && !state.requests.has(slot.requestId)) broken.push(`Slot ${slot.slot} serves nobody.`);
  }
  for (const task of state.tasks.values()) {
    const open = [...state.requests.values()].filter((request) => request.spec.taskId === task.taskId).length;
    if (open !== task.openRequests)
      broken.push(`${task.taskId} counts ${task.openRequests} open requests, there are ${open}.`);
  }
  return broken;
}
