/** From spans of time to boxes in pixels: which part of the lanes is drawn where. Pure, so that it can be tested without a canvas. */
import type { Milliseconds } from "../../../core/contract/ids";
import type { ForeseenSpan } from "../../../core/view/foresee";
import type { DecisionMark, LaneSpan, Lanes } from "../../../core/view/lanes";

export const LANE_STEP = 22;
export const LANE_HEIGHT = 17;
export const LABEL_WIDTH = 64;
/** Right of "now" lies what is expected, at the same scale: so much of the time shown before it. */
const AHEAD_SHARE = 0.3;
const NARROWEST = 5;
const WARM_HEIGHT = 7;

export interface TimeScale {
  readonly fromMs: Milliseconds;
  readonly toMs: Milliseconds;
  readonly left: number;
  /** Where "now" is. */
  readonly right: number;
  /** Where the time ahead ends. */
  readonly end: number;
}

export interface LaneBox {
  readonly span: LaneSpan;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface MarkPlace {
  readonly mark: DecisionMark;
  readonly x: number;
}

export function timeScale(width: number, nowMs: Milliseconds, lanesMs: Milliseconds): TimeScale {
  const end = Math.max(LABEL_WIDTH + 2, width - 1);
  const right = Math.round(LABEL_WIDTH + (end - LABEL_WIDTH) / (1 + AHEAD_SHARE));
  return { fromMs: nowMs - lanesMs, toMs: nowMs, left: LABEL_WIDTH, right, end };
}

export function xOf({ fromMs, toMs, left, right }: TimeScale, atMs: Milliseconds): number {
  return left + ((atMs - fromMs) / (toMs - fromMs)) * (right - left);
}

export function timeAt({ fromMs, toMs, left, right }: TimeScale, x: number): Milliseconds {
  return fromMs + ((x - left) / (right - left)) * (toMs - fromMs);
}

export function laneTop(slot: number): number {
  return LANE_STEP * (slot + 1) + 2;
}

export function lanesHeight(slots: number): number {
  return LANE_STEP * (slots + 1) + 18;
}

/** Every span that reaches into the time shown; short ones are drawn five pixels wide, the warm ones flatter. */
export function laneBoxes(lanes: Lanes, scale: TimeScale): readonly LaneBox[] {
  const open = lanes.open.filter((span) => span !== null);
  return [...lanes.over, ...open].flatMap((span) => {
    const toMs = span.toMs ?? scale.toMs;
    if (toMs < scale.fromMs || span.fromMs > scale.toMs) return [];
    const x = Math.round(Math.max(scale.left, xOf(scale, span.fromMs)));
    const end = Math.round(Math.min(scale.right, xOf(scale, toMs)));
    const warm = span.kind === "warm";
    const height = warm ? WARM_HEIGHT : LANE_HEIGHT;
    const y = laneTop(span.slot) + (LANE_HEIGHT - height) / 2;
    return [{ span, x, y, width: Math.max(NARROWEST, end - x), height }];
  });
}

export interface ForeseenBox {
  readonly span: ForeseenSpan;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Right of "now": what goes further than the lanes reach ends at their edge, with a pixel left free between two. */
export function foreseenBoxes(spans: readonly ForeseenSpan[], scale: TimeScale): readonly ForeseenBox[] {
  return spans.flatMap((span) => {
    const x = Math.round(xOf(scale, span.fromMs)) + (span.kind === "starts" ? 2 : 0);
    const end = span.toMs === null ? scale.end : Math.min(scale.end, Math.round(xOf(scale, span.toMs)));
    const height = span.kind === "kept" ? WARM_HEIGHT : LANE_HEIGHT;
    const y = laneTop(span.slot) + (LANE_HEIGHT - height) / 2;
    return end - x < 2 ? [] : [{ span, x, y, width: end - x, height }];
  });
}

export function markPlaces(lanes: Lanes, scale: TimeScale): readonly MarkPlace[] {
  return lanes.marks
    .filter((mark) => mark.atMs >= scale.fromMs && mark.atMs <= scale.toMs)
    .map((mark) => ({ mark, x: Math.round(xOf(scale, mark.atMs)) }));
}

/** Ticks at round seconds, about six of them. */
export function tickStepMs(lanesMs: Milliseconds): Milliseconds {
  return [250, 500, 1_000, 2_000, 5_000, 10_000, 20_000].find((step) => lanesMs / step <= 7) ?? 20_000;
}

export type LaneHit =
  | { readonly kind: "span"; readonly span: LaneSpan }
  | { readonly kind: "mark"; readonly mark: DecisionMark }
  | null;

/** What lies under the pointer; of marks close together the nearest, of spans the one drawn last. */
export function hitAt(lanes: Lanes, scale: TimeScale, x: number, y: number): LaneHit {
  if (y < LANE_STEP) {
    const near = markPlaces(lanes, scale).filter((place) => Math.abs(place.x - x) <= 6);
    const best = near.sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0];
    return best ? { kind: "mark", mark: best.mark } : null;
  }
  const box = laneBoxes(lanes, scale)
    .filter(
      (one) =>
        x >= one.x &&
        x <= one.x + one.width &&
        y >= laneTop(one.span.slot) &&
        y <= laneTop(one.span.slot) + LANE_HEIGHT,
    )
    .at(-1);
  return box ? { kind: "span", span: box.span } : null;
}
