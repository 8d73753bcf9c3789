/** What a slot does, in words and with an icon, from the view alone. */
import type { Milliseconds, SlotIndex } from "../../../core/contract/ids";
import type { LiveView, RequestView, SlotView } from "../../../core/view/view";
import type { IconName } from "../../drawing/icon";
import { age, count } from "../../words/figures";
import { progressText } from "../graph/stage-words";

export type SlotState = "running" | "warm" | "empty" | "lost";

export interface SlotNow {
  readonly state: SlotState;
  readonly slot: SlotView | undefined;
  readonly request: RequestView | undefined;
}

export function slotNow(view: LiveView, index: SlotIndex): SlotNow {
  const slot = view.slots[index];
  const request = slot?.requestId ? view.requests[slot.requestId] : undefined;
  if (view.engine.phase === "down") return { state: "lost", slot, request };
  if (request) return { state: "running", slot, request };
  return { state: (slot?.heldTokens ?? 0) > 0 ? "warm" : "empty", slot, request };
}

export function slotIcon({ state, request }: SlotNow): IconName {
  switch (state) {
    case "running":
      return request?.phase === "prefill" ? "prefill" : "running";
    case "warm":
      return "warm";
    case "empty":
      return "cold";
    case "lost":
      return request ? "held" : "cold";
    default:
      return state satisfies never;
  }
}

export function slotText({ state, slot, request }: SlotNow, nowMs: Milliseconds): string {
  switch (state) {
    case "running":
      return request ? progressText(request) : "";
    case "warm":
      return slot?.idleSinceMs == null ? "warm, idle" : `warm, idle ${age(nowMs - slot.idleSinceMs)}`;
    case "empty":
      return "empty";
    case "lost":
      if (!request) return "cold";
      return request.generatedTokens > 0
        ? `prefills again, goes on after token ${count(request.generatedTokens)}`
        : "prefills again";
    default:
      return state satisfies never;
  }
}

/** "768 + 448", in tokens: the agent's prefix and what is private behind it. */
export function heldText(slot: SlotView | undefined): string {
  if (!slot || slot.heldTokens === 0) return "0";
  const prefix = Math.min(slot.prefixTokens, slot.heldTokens);
  return `${count(prefix)} + ${count(slot.heldTokens - prefix)}`;
}
