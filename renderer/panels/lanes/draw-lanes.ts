/** Draws the lanes on a canvas: decisions on top, a lane for each slot, time below. It reads the state and keeps nothing but texts it has measured. */
import type { Milliseconds } from "../../../core/contract/ids";
import { foreseeLanes } from "../../../core/view/foresee";
import type { LiveState } from "../../store/live-store";
import { diagonals, hasSourcePiece, type Ink, paintMark, paintSliver, paintTexture, SOURCE_WIDTH } from "./lane-shapes";
import {
  foreseenBoxes,
  LANE_HEIGHT,
  LANE_STEP,
  type LaneBox,
  laneBoxes,
  laneTop,
  markPlaces,
  type TimeScale,
  tickStepMs,
  xOf,
} from "./lanes-layout";

/** A box narrower than that has neither corners nor texture that anybody could see; there may be hundreds of them. */
const NO_SHAPE = 5;

export interface LanesPicture {
  readonly state: LiveState;
  readonly scale: TimeScale;
  readonly width: number;
  readonly height: number;
  readonly ink: Ink;
  readonly selectedRequest: string | null;
}

export function drawLanes(context: CanvasRenderingContext2D, picture: LanesPicture): void {
  const { state, scale, width, height, ink } = picture;
  context.clearRect(0, 0, width, height);
  context.font = `11px ${ink.font}`;
  context.textBaseline = "middle";
  drawGround(context, picture);
  drawAhead(context, picture);
  for (const box of laneBoxes(state.lanes, scale)) drawBox(context, picture, box);
  drawForks(context, picture);
  drawMarks(context, picture);
  const x = scale.right + 0.5;
  line(context, state.view.engine.phase === "down" ? ink.bad : ink.ink1, 1.5, x, 0, x, height - 16);
}

function drawGround(context: CanvasRenderingContext2D, { state, scale, width, height, ink }: LanesPicture): void {
  context.fillStyle = ink.ink3;
  context.textAlign = "left";
  context.fillText("decisions", 0, LANE_STEP / 2);
  state.view.slots.forEach(({ slot }) => {
    context.fillText(`slot ${slot}`, 0, laneTop(slot) + LANE_HEIGHT / 2);
    const y = laneTop(slot) + LANE_HEIGHT + 2.5;
    line(context, ink.line, 1, scale.left, y, width, y);
  });
  for (const { fromMs, toMs } of state.lanes.outages) {
    const from = Math.max(scale.left, xOf(scale, fromMs));
    const to = Math.min(scale.right, xOf(scale, toMs ?? scale.toMs));
    if (to < scale.left || from > scale.right) continue;
    context.fillStyle = ink.badGround;
    context.fillRect(from, LANE_STEP, Math.max(2, to - from), height - LANE_STEP - 18);
    line(context, ink.bad, 1.5, from, LANE_STEP, from, height - 18);
  }
  drawTicks(context, scale, height, ink, state.lanesMs);
}

/** Times are told as seconds before now. */
function drawTicks(
  context: CanvasRenderingContext2D,
  scale: TimeScale,
  height: number,
  ink: Ink,
  lanesMs: Milliseconds,
): void {
  const stepMs = tickStepMs(lanesMs);
  context.textAlign = "center";
  context.fillStyle = ink.ink3;
  const aheadMs = ((scale.end - scale.right) / (scale.right - scale.left)) * lanesMs;
  for (let at = -Math.floor(lanesMs / stepMs) * stepMs; at < aheadMs; at += stepMs) {
    const x = Math.round(xOf(scale, scale.toMs + at)) + 0.5;
    if (x < scale.left + 12 || x > scale.end - 12) continue;
    if (at !== 0) line(context, ink.line, 1, x, LANE_STEP, x, height - 16);
    context.fillText(tickWords(at), x, height - 7);
  }
}

function tickWords(ms: Milliseconds): string {
  return ms === 0 ? "0" : `${ms < 0 ? "−" : "+"}${Math.abs(ms) / 1_000} s`;
}

/** Right of "now" nothing has happened: another ground, and only dashed lines. */
function drawAhead(context: CanvasRenderingContext2D, { state, scale, height, ink }: LanesPicture): void {
  const { right, end } = scale;
  const isDown = state.view.engine.phase === "down";
  context.fillStyle = ink.ahead;
  context.fillRect(right, 0, end - right, height - 18);
  context.fillStyle = ink.ink1;
  context.textAlign = "left";
  const isPast = state.cursor !== null || state.status.recording !== null;
  const words = isDown ? "engine down, no prediction" : isPast ? "this moment" : "now";
  context.fillText(words, right + 8, LANE_STEP / 2);
  if (isDown) return;
  context.fillStyle = ink.ink3;
  context.textAlign = "right";
  context.fillText("predicted", end - 4, LANE_STEP / 2);
  for (const { span, ...box } of foreseenBoxes(foreseeLanes(state.view, scale.toMs), scale)) {
    if (span.kind === "kept") drawKept(context, box, ink.agent(state.view.agents.indexOf(span.agent ?? "")).fill);
    else drawExpected(context, box, span.label, ink);
  }
}

type Box = Pick<LaneBox, "x" | "y" | "width" | "height">;

function drawKept(context: CanvasRenderingContext2D, box: Box, colour: string): void {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.globalAlpha = 0.5;
  diagonals(context, box, colour);
  context.restore();
}

function drawExpected(context: CanvasRenderingContext2D, box: Box, label: string, ink: Ink): void {
  context.setLineDash([3, 3]);
  outline(context, ink.outline, 1, box);
  context.setLineDash([]);
  if (label === "" || box.width < 34) return;
  context.fillStyle = ink.ink2;
  context.textAlign = "left";
  context.fillText(fitted(context, label, box.width - 12), box.x + 6, box.y + box.height / 2 + 0.5);
}

function drawBox(
  context: CanvasRenderingContext2D,
  { state, ink, selectedRequest, scale }: LanesPicture,
  box: LaneBox,
): void {
  const { span, x, y, width, height } = box;
  const colour = ink.agent(state.view.agents.indexOf(span.agent ?? ""));
  const selected = span.requestId !== null && span.requestId === selectedRequest;
  if (width < NO_SHAPE && !selected) return paintSliver(context, box, colour, ink);
  if (span.kind === "warm") paintClipped(context, box, () => paintTexture(context, box, colour, ink));
  else paintTexture(context, box, colour, ink);
  if (selected) outline(context, ink.ink1, 2, box);
  else if (span.kind !== "warm") outline(context, colour.fill, 1, box);
  const before = 6 + (hasSourcePiece(span) ? SOURCE_WIDTH : 0);
  if (span.kind !== "warm" && width > before + 28) {
    context.fillStyle = span.kind === "prefill" ? colour.on : ink.ink1;
    context.textAlign = "left";
    context.fillText(fitted(context, span.label, width - before - 6), x + before, y + height / 2 + 0.5);
  }
  // How long the selected request had waited before it got its slot.
  if (selected && span.kind === "prefill" && span.arrivedAtMs !== null) {
    const from = Math.max(scale.left, xOf(scale, span.arrivedAtMs));
    context.setLineDash([2, 3]);
    line(context, ink.ink1, 1, from, y + height / 2, x, y + height / 2);
    context.setLineDash([]);
  }
}

/** Only what reaches over the edge needs it: cutting to a round shape is what costs most where no GPU draws. */
function paintClipped(context: CanvasRenderingContext2D, { x, y, width, height }: Box, paint: () => void): void {
  context.save();
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, Math.max(1, width - 1), height - 1, 2);
  context.clip();
  paint();
  context.restore();
}

/** Asked anew at each frame for mostly the same boxes, and measuring is slow. */
const fittedBefore = new Map<string, string>();
const FITTED_MAX = 4_000;

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  const key = `${Math.floor(width)} ${text}`;
  const before = fittedBefore.get(key);
  if (before !== undefined) return before;
  if (fittedBefore.size >= FITTED_MAX) fittedBefore.clear();
  const found = shortened(context, text, Math.floor(width));
  fittedBefore.set(key, found);
  return found;
}

/** The longest beginning that fits with its ellipsis. */
function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  let [fits, tooMany] = [0, letters.length];
  while (fits + 1 < tooMany) {
    const middle = (fits + tooMany) >>> 1;
    if (context.measureText(`${letters.slice(0, middle).join("")}…`).width <= width) fits = middle;
    else tooMany = middle;
  }
  return fits === 0 ? "" : `${letters.slice(0, fits).join("")}…`;
}

function drawForks(context: CanvasRenderingContext2D, { state, scale, ink }: LanesPicture): void {
  for (const { atMs, from, to } of state.lanes.forks) {
    if (atMs < scale.fromMs || atMs > scale.toMs) continue;
    const x = Math.round(xOf(scale, atMs)) - 2.5;
    const down = to > from;
    const start = laneTop(from) + (down ? LANE_HEIGHT : 0);
    const end = laneTop(to) + (down ? 0 : LANE_HEIGHT);
    line(context, ink.ink1, 1.25, x, start, x, end);
    const tip = down ? -3 : 3;
    line(context, ink.ink1, 1.25, x - 3, end + tip, x, end);
    line(context, ink.ink1, 1.25, x + 3, end + tip, x, end);
  }
}

function drawMarks(context: CanvasRenderingContext2D, { state, scale, height, ink }: LanesPicture): void {
  const chosen = state.inspected;
  for (const { mark, x } of markPlaces(state.lanes, scale)) {
    paintMark(context, mark.kind, x, LANE_STEP / 2, ink);
    if (mark.decision !== chosen) continue;
    context.setLineDash([1, 3]);
    line(context, ink.ink1, 1.25, x + 0.5, LANE_STEP - 4, x + 0.5, height - 18);
    context.setLineDash([]);
    const number = String(mark.decision);
    const wide = context.measureText(number).width;
    context.fillStyle = ink.ground;
    context.fillRect(x - 11 - wide, LANE_STEP / 2 - 7, wide + 5, 14);
    context.fillStyle = ink.ink1;
    context.textAlign = "right";
    context.fillText(number, x - 8, LANE_STEP / 2);
    paintMark(context, mark.kind, x, LANE_STEP / 2, { ...ink, ink2: ink.ink1 });
  }
}

function outline(
  context: CanvasRenderingContext2D,
  colour: string,
  weight: number,
  { x, y, width, height }: Box,
): void {
  context.strokeStyle = colour;
  context.lineWidth = weight;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, Math.max(1, width - 1), height - 1, 2);
  context.stroke();
}

function line(
  context: CanvasRenderingContext2D,
  colour: string,
  weight: number,
  x: number,
  y: number,
  toX: number,
  toY: number,
): void {
  context.strokeStyle = colour;
  context.lineWidth = weight;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}
