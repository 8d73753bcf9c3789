/** Textures of the spans and shapes of the decisions, in the colours that the style sheet has at this moment. */
import type { DecisionMark } from "../../../core/view/lanes";
import type { LaneBox } from "./lanes-layout";

export interface AgentInk {
  readonly fill: string;
  readonly on: string;
}

export interface Ink {
  readonly font: string;
  readonly ink1: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly line: string;
  /** Of what is not there yet. */
  readonly outline: string;
  readonly ground: string;
  /** Of the time ahead. */
  readonly ahead: string;
  readonly bad: string;
  readonly badGround: string;
  agent(place: number): AgentInk;
}

const HUES = 8;

export function readInk(root: HTMLElement): Ink {
  const style = getComputedStyle(root);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const hues = Array.from({ length: HUES }, (_, hue) => ({
    fill: read(`--agent-${hue + 1}`),
    on: read(`--on-${hue + 1}`),
  }));
  const later = { fill: read("--outline"), on: read("--on-later") };
  return {
    font: read("--font"),
    ink1: read("--ink-1"),
    ink2: read("--ink-2"),
    ink3: read("--ink-3"),
    line: read("--line"),
    outline: read("--outline"),
    ground: read("--bg-1"),
    ahead: read("--bg-2"),
    bad: read("--bad"),
    badGround: read("--bad-bg"),
    agent: (place) => hues[place] ?? later,
  };
}

/** Room of the piece at the beginning that tells where the prefix came from. */
export const SOURCE_WIDTH = 9;

/** Whether a span begins with such a piece: a prefill of which not all was computed. */
export function hasSourcePiece({ kind, source }: LaneBox["span"]): boolean {
  return kind === "prefill" && source !== null && source !== "prefill";
}

export function paintTexture(context: CanvasRenderingContext2D, box: LaneBox, colour: AgentInk, ink: Ink): void {
  const { span, x, y, width, height } = box;
  context.fillStyle = ink.ground;
  context.fillRect(x, y, width, height);
  context.fillStyle = colour.fill;
  if (span.kind === "decode") {
    context.globalAlpha = 0.24;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
    return;
  }
  if (span.kind === "warm") return diagonals(context, box, colour.fill);
  context.fillRect(x, y, width, height);
  if (!hasSourcePiece(span)) return;
  const piece = Math.min(SOURCE_WIDTH, width - 1);
  context.fillStyle = ink.ground;
  context.fillRect(x + 1, y + 1, piece, height - 2);
  context.fillStyle = colour.fill;
  if (span.source === "fork") for (let at = 2; at < piece; at += 3) context.fillRect(x + at, y, 1.5, height);
  if (span.source === "restore") for (let at = 2; at < height; at += 3) context.fillRect(x, y + at, piece + 1, 1.5);
}

/** Too narrow for a shape: its colour alone, lighter where it decodes or is warm. */
export function paintSliver(
  context: CanvasRenderingContext2D,
  { span, x, y, width, height }: LaneBox,
  colour: AgentInk,
  ink: Ink,
): void {
  context.fillStyle = ink.ground;
  context.fillRect(x, y, width, height);
  context.globalAlpha = span.kind === "prefill" ? 1 : 0.5;
  context.fillStyle = colour.fill;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
}

export function diagonals(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Pick<LaneBox, "x" | "y" | "width" | "height">,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.75;
  context.beginPath();
  // On a grid of the whole canvas, so that the hatch stands still while the span grows.
  for (let at = Math.floor(x / 5) * 5 - height; at < x + width; at += 5) {
    context.moveTo(at, y + height);
    context.lineTo(at + height, y);
  }
  context.stroke();
}

/** Filled triangle: let in. Hollow triangle: let in for something that had to go. Disc: kept on purpose. Stroke: no change. */
export function paintMark(
  context: CanvasRenderingContext2D,
  kind: DecisionMark["kind"],
  x: number,
  y: number,
  ink: Ink,
): void {
  context.fillStyle = ink.ink2;
  context.strokeStyle = ink.ink2;
  context.lineWidth = 1.25;
  context.beginPath();
  switch (kind) {
    case "admit":
      triangle(context, x, y, -1);
      return context.fill();
    case "evict":
      triangle(context, x, y, 1);
      return context.stroke();
    case "keep":
      context.arc(x, y, 4, 0, 2 * Math.PI);
      return context.fill();
    case "none":
      context.moveTo(x + 0.5, y - 3);
      context.lineTo(x + 0.5, y + 3);
      return context.stroke();
    default:
      return kind satisfies never;
  }
}

function triangle(context: CanvasRenderingContext2D, x: number, y: number, down: 1 | -1): void {
  context.moveTo(x - 4, y - 3.5 * down);
  context.lineTo(x + 4, y - 3.5 * down);
  context.lineTo(x, y + 3.5 * down);
  context.closePath();
}
