/**
 * Continuum (arXiv 2511.02230): programs in the order in which they came, and what a program left in the KV cache is kept for it
 * while it is away at a tool, for a time to live. Where nothing else is left to give, the program that came last loses its own first,
 * so that a request with room in the end is never locked out.
 */
import { freeSlots } from "../topas/occupancy";
import { maySpareSlot } from "../topas/pins";
import { kvPool, type Placement, type Resident } from "../topas/pool";
import { bestSource } from "../topas/prefix";
import type { RequestState, SchedulerState, SlotState, TaskState } from "../topas/state";
import { evictedAgents } from "./candidates";
import { orderBy } from "./order-by";
import { type Pins, pinsNow } from "./pins";
import { rankedPolicy } from "./ranked-policy";

/** Larger than any time: whatever is pinned goes after all that is not. */
const pinnedMs = 1e13;

export const continuum = rankedPolicy({
  name: "continuum",
  order(state, waiting) {
    const kept = programsKept(state, pinsNow(state));
    const startedAtMs = ({ spec }: RequestState) => state.tasks.get(spec.taskId)?.startedAtMs ?? state.nowMs;
    return orderBy(
      waiting,
      [
        { of: ({ preemptions }) => (preemptions > 0 ? 0 : 1), goesFirst: "it was stopped on the way" },
        { of: ({ spec }) => (kept.has(spec.taskId) ? 0 : 1), goesFirst: "its KV cache was kept for it" },
        { of: startedAtMs, goesFirst: "its program came earlier" },
      ],
      (request) => ({ age: (state.nowMs - startedAtMs(request)) / 1000 }),
    );
  },
  evict(state) {
    const pins = pinsNow(state);
    return (resident: Resident) => {
      const owners = pins.on(resident);
      return owners.length === 0 ? resident.lastUsedAtMs : pinnedMs - earliest(owners);
    };
  },
  place(state, request, evict) {
    return state.engine.budgetTokens === null ? slotFor(state, request) : kvPool(state).place(state, request, evict);
  },
});

/** Its own or nobody's slot before one kept for another; then the one that saves most, an empty one, the one unused for longest. */
function slotFor(state: SchedulerState, request: RequestState): Placement | null {
  const pins = pinsNow(state);
  const free = freeSlots(state).filter((slot) => maySpareSlot(state, slot, request.spec.agent));
  const options = free.map((slot) => {
    const owners = ownersOf(pins, slot);
    const isAnothers = owners.length > 0 && owners.every(({ taskId }) => taskId !== request.spec.taskId);
    const source = bestSource(state, request, slot);
    const emptyFirst = slot.tokens.length === 0 ? 0 : 1;
    const key = [isAnothers ? 1 : 0, isAnothers ? -earliest(owners) : 0, -source.tokens, emptyFirst, slot.lastUsedAtMs];
    return { slot, source, key };
  });
  const [best] = options.sort((a, b) => differenceOf(a.key, b.key) || a.slot.slot - b.slot.slot);
  return best === undefined
    ? null
    : { slot: best.slot.slot, source: best.source, evicts: evictedAgents(request, best.slot) };
}

function differenceOf(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function programsKept(state: SchedulerState, pins: Pins): ReadonlySet<string> {
  const kept = new Set<string>();
  const note = (owners: readonly TaskState[]) => {
    for (const { taskId } of owners) kept.add(taskId);
  };
  for (const slot of state.slots) if (slot.requestId === null) note(ownersOf(pins, slot));
  for (const { tokens, lastUsedAtMs } of state.prefixes.values())
    note(pins.on({ tokens: tokens.length, lastUsedAtMs }));
  return kept;
}

function ownersOf(pins: Pins, { tokens, lastUsedAtMs }: SlotState): readonly TaskState[] {
  return pins.on({ tokens: tokens.length, lastUsedAtMs });
}

function earliest(owners: readonly TaskState[]): number {
  return Math.min(...owners.map(({ startedAtMs }) => startedAtMs));
}
