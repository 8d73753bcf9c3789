/**
 * Which of a slot's 32 blocks are drawn how. Tokens are rounded to whole blocks here, so that no block is ever drawn in part:
 *
 *   [ prefix | tail | to prefill | free ]
 *            held ^              ^ held + toPrefill
 */
export type BlockKind =
  | "prefix"
  | "tail"
  | "pending"
  | "warm-prefix"
  | "warm-tail"
  | "lost-prefix"
  | "lost-tail"
  | "free";

export interface BlockLayout {
  /** Blocks from 0 to here are prefix. */
  readonly prefixEnd: number;
  readonly heldEnd: number;
  readonly pendingEnd: number;
}

export const BLOCKS = 32;

export function layoutBlocks(
  slot: { readonly prefixTokens: number; readonly heldTokens: number; readonly toPrefillTokens: number },
  slotTokens: number,
): BlockLayout {
  const blocks = (tokens: number, round: (value: number) => number) =>
    slotTokens <= 0 ? 0 : Math.min(BLOCKS, Math.max(0, round((tokens / slotTokens) * BLOCKS)));
  const heldEnd = blocks(slot.heldTokens, Math.ceil);
  const prefixTokens = Math.min(slot.prefixTokens, slot.heldTokens);
  const all = prefixTokens === slot.heldTokens;
  const prefixEnd = all
    ? heldEnd
    : Math.min(heldEnd, prefixTokens > 0 ? Math.max(1, blocks(prefixTokens, Math.round)) : 0);
  const pendingEnd = Math.max(heldEnd, blocks(slot.heldTokens + slot.toPrefillTokens, Math.ceil));
  return { prefixEnd, heldEnd, pendingEnd };
}

export function blockKind(layout: BlockLayout, index: number, state: "running" | "warm" | "lost"): BlockKind {
  if (index < layout.heldEnd) {
    const prefix = index < layout.prefixEnd;
    switch (state) {
      case "running":
        return prefix ? "prefix" : "tail";
      case "warm":
        return prefix ? "warm-prefix" : "warm-tail";
      case "lost":
        return prefix ? "lost-prefix" : "lost-tail";
      default:
        return state satisfies never;
    }
  }
  return index < layout.pendingEnd && state === "running" ? "pending" : "free";
}
