/** Why each request still waits, in plain words. The wording is what people read in the window and in `explain`. */
import type { Seconds } from "../contract/ids";
import type { Kept, PrefixSource, Wait } from "../topas/decision";
import { freeSlots } from "../topas/occupancy";
import { maySpareSlot } from "../topas/pins";
import { bestSource, reusableTokens } from "../topas/prefix";
import type { RequestState, SchedulerState } from "../topas/state";

export interface WaitOrder {
  readonly request: RequestState;
  readonly score: Seconds;
  /** Why it goes before those behind it, as it reads after "because". */
  readonly goesFirst: string;
}

/** Why free slots are left free although requests wait. */
export type HoldReason =
  | { readonly kind: "paused" }
  | { readonly kind: "prefix"; readonly kept: Kept }
  | { readonly kind: "speed"; readonly running: number }
  | { readonly kind: "move"; readonly tasks: number; readonly held: Seconds };

export function waitsFor(state: SchedulerState, order: readonly WaitOrder[], holdReason: HoldReason | null): Wait[] {
  const isFree = holdReason?.kind === "paused" || freeSlots(state).length > 0;
  return order.map(({ request, score }, index) => ({
    requestId: request.spec.requestId,
    place: index + 1,
    score,
    reuse: expectedReuse(state, request),
    ...(isFree && holdReason !== null ? heldBack(holdReason) : noFreeSlot(state, request, order[index - 1])),
  }));
}

function heldBack(reason: HoldReason): Pick<Wait, "code" | "sentence"> {
  if (reason.kind === "paused") return { code: "PAUSED", sentence: "Waits because the queue is paused by the user." };
  if (reason.kind === "prefix") {
    const { slot, agent, forWhom } = reason.kept;
    const sentence = `Waits because slot ${slot} stays warm for ${agent}, which ${forWhom} needs next.`;
    return { code: "HELD_FOR_PREFIX", sentence };
  }
  if (reason.kind === "move") {
    const whom = reason.tasks <= 1 ? "the task that runs" : `each of the ${reason.tasks} tasks that run`;
    const sentence = `Waits because computing its prompt now would hold up ${whom} by ${reason.held.toFixed(1)} s.`;
    return { code: "HELD_FOR_SPEED", sentence };
  }
  const more = reason.running + 1;
  const sentence = `Waits because on this machine ${reason.running} at once finish sooner than ${more}.`;
  return { code: "HELD_FOR_SPEED", sentence };
}

function noFreeSlot(
  state: SchedulerState,
  request: RequestState,
  before: WaitOrder | undefined,
): Pick<Wait, "code" | "sentence"> {
  if (before !== undefined) {
    const sentence = `Waits for a slot: ${before.request.label} goes first because ${before.goesFirst}.`;
    return { code: "NO_FREE_SLOT", sentence };
  }
  const free = freeSlots(state);
  const { agent } = request.spec;
  if (free.length > 0 && state.engine.budgetTokens === null && !free.some((slot) => maySpareSlot(state, slot, agent))) {
    const whose = free.flatMap(({ agent: other }) => other ?? []).join(" and ");
    return { code: "HELD_FOR_PREFIX", sentence: `Waits because the free slot is pinned for ${whose}.` };
  }
  const slots = state.slots.length;
  const busy = slots === 1 ? "the only slot is busy" : `all ${slots} slots are busy`;
  return { code: "NO_FREE_SLOT", sentence: `Starts as soon as a slot is free: ${busy}.` };
}

/** Best over all slots, busy ones too: what it would find if it were admitted now. */
function expectedReuse(state: SchedulerState, request: RequestState): PrefixSource {
  let inPlace = 0;
  for (const slot of state.slots) {
    if (slot.requestId === null) inPlace = Math.max(inPlace, reusableTokens(request, slot.tokens));
  }
  const free = state.slots.find((slot) => slot.requestId === null) ?? state.slots[0];
  if (free === undefined) return { kind: "prefill", tokens: 0 };
  const source = bestSource(state, request, free);
  return inPlace >= source.tokens && inPlace > 0 ? { kind: "in_place", tokens: inPlace } : source;
}
