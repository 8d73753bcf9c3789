/** A long queue shows its first twenty rows; the rest is counted by reason, so that no reason is hidden. */
import type { WaitCode } from "../../../core/topas/decision";
import type { QueueRow } from "../../../core/view/view";
import { count } from "../../words/figures";

export const ROWS_MAX = 20;

export interface CollapsedQueue {
  readonly shown: readonly QueueRow[];
  /** "… and 118 more: 100 wait for a slot, 18 for the engine." Null when all rows are shown. */
  readonly rest: string | null;
}

const REASONS: Record<WaitCode, string> = {
  NO_FREE_SLOT: "for a free slot",
  HELD_FOR_PREFIX: "for a slot that keeps a prefix warm",
  PAUSED: "because the queue is paused",
  HELD_FOR_SPEED: "because fewer at once finish sooner",
  ENGINE_RESTARTING: "for the engine",
};

export function collapseQueue(queue: readonly QueueRow[]): CollapsedQueue {
  if (queue.length <= ROWS_MAX) return { shown: queue, rest: null };
  const more = queue.slice(ROWS_MAX);
  const numbers = new Map<WaitCode, number>();
  for (const row of more) numbers.set(row.code, (numbers.get(row.code) ?? 0) + 1);
  const reasons = [...numbers].map(([code, number]) => `${count(number)} ${REASONS[code]}`);
  const rest = `… and ${count(more.length)} more: ${reasons.join(", ")}.`;
  return { shown: queue.slice(0, ROWS_MAX), rest };
}
