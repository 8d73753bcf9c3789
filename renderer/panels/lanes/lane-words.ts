/** What lies under the pointer in the lanes, and what they show as a whole, in words. */
import type { Milliseconds } from "../../../core/contract/ids";
import type { DecisionMark, LaneSpan, Lanes } from "../../../core/view/lanes";
import { count, duration } from "../../words/figures";
import type { LaneHit } from "./lanes-layout";

export const MARK_WORDS: Record<DecisionMark["kind"], string> = {
  admit: "admitted",
  evict: "admitted, something had to go",
  keep: "kept a slot warm on purpose",
  none: "changed nothing",
};

const SOURCES = {
  in_place: "prefix in place",
  fork: "prefix forked",
  restore: "prefix restored",
  prefill: "all computed",
};

export function hitText(hit: NonNullable<LaneHit>, nowMs: Milliseconds): string {
  if (hit.kind === "mark") {
    const who = hit.mark.requestId === null ? "" : ` ${hit.mark.requestId}`;
    return `Decision ${count(hit.mark.decision)}: ${MARK_WORDS[hit.mark.kind]}${who}`;
  }
  return spanText(hit.span, nowMs);
}

export function spanText(span: LaneSpan, nowMs: Milliseconds): string {
  const took = duration(Math.max(0, (span.toMs ?? nowMs) - span.fromMs));
  const lasts = span.toMs === null ? `${took} so far` : took;
  const source = span.source === null ? "" : `, ${SOURCES[span.source]}`;
  return `${span.label}: ${span.kind} in slot ${span.slot}, ${lasts}${source}`;
}

/** For a screen reader: the lanes as one sentence for each slot. */
export function laneSummary(lanes: Lanes, lanesMs: Milliseconds, nowMs: Milliseconds): string {
  const slots = lanes.open.map((span, slot) =>
    span === null
      ? `Slot ${slot} is empty.`
      : `Slot ${slot}: ${span.label}, ${span.kind} for ${duration(Math.max(0, nowMs - span.fromMs))}.`,
  );
  const decisions = lanes.marks.filter((mark) => mark.atMs >= nowMs - lanesMs).length;
  return `The last ${lanesMs / 1_000} seconds: ${count(decisions)} decisions. ${slots.join(" ")}`;
}
