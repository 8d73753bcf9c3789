/** Who runs, who waits, and which slots are free. */
import type { RequestState, SchedulerState, SlotState } from "./state";

/** Slots that can be given to a request now; one whose cancelled request is still in the batch under way cannot. */
export function freeSlots(state: SchedulerState): SlotState[] {
  const busy = new Set(state.batchInFlight?.work.map((work) => work.slot));
  return state.slots.filter((slot) => slot.requestId === null && !busy.has(slot.slot));
}

export function hasWaiting(state: SchedulerState): boolean {
  for (const request of state.requests.values()) if (request.slot === null) return true;
  return false;
}

/** In order of arrival. */
export function waitingRequests(state: SchedulerState): RequestState[] {
  const waiting = [...state.requests.values()].filter((request) => request.slot === null);
  return waiting.sort((a, b) => a.arrival - b.arrival);
}

export function runningRequests(state: SchedulerState): RequestState[] {
  return [...state.requests.values()].filter((request) => request.slot !== null);
}
