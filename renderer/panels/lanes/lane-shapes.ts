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
  readonly ground: string;
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
  const later = { fill: read("--outline"), on: read("--bg-1") };
  return {
    font: read("--font"),
    ink1: read("--ink-1"),
    ink2: read("--ink-2"),
    ink3: read("--ink-3"),
    line: read("--line"),
    ground: read("--bg-1"),
    bad: read("--bad"),
    badGround: read("--bad-bg"),
    agent: (place) => hues[place] ?? later,
  };
}

/** Room of the piece at the beginning that tells where the prefix came from. */
const SOURCE_WIDTH = 9;

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
  if (span.source === null || span.source === "prefill") return;
  const piece = Math.min(SOURCE_WIDTH, width - 1);
  context.fillStyle = ink.ground;
  context.fillRect(x + 1, y + 1, piece, height - 2);
  context.fillStyle = colour.fill;
  if (span.source === "fork") for (let at = 2; at < piece; at += 3) context.fillRect(x + at, y, 1.5, height);
  if (span.source === "restore") for (let at = 2; at < height; at += 3) context.fillRect(x, y + at, piece + 1, 1.5);
}

function diagonals(context: CanvasRenderingContext2D, { x, y, width, height }: LaneBox, colour: string): void {
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
