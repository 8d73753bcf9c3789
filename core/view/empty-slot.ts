/** A slot that holds nothing. */
import type { SlotView } from "./view";

export function emptySlot(slot: number): SlotView {
  return {
    slot,
    requestId: null,
    agent: null,
    prefixTokens: 0,
    heldTokens: 0,
    toPrefillTokens: 0,
    forkedFrom: null,
    idleSinceMs: null,
    keptFor: null,
  };
}
