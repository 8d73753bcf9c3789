/** The canvas with its pointer: hover tells what is under it, a click selects a request or opens a decision, a drag below scrubs. */
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { useMedia } from "../../drawing/use-media";
import { useWidth } from "../../drawing/use-width";
import { type LiveParts, useLive, useLiveParts, useNow } from "../../store/live-context";
import { goToTime, inspect, select } from "../../store/navigate";
import { requestKey, requestOfKey } from "../../store/selection";
import { drawLanes } from "./draw-lanes";
import { type Ink, readInk } from "./lane-shapes";
import { hitText, laneSummary } from "./lane-words";
import { hitAt, type LaneHit, lanesHeight, type TimeScale, timeAt, timeScale } from "./lanes-layout";

const AXIS_HEIGHT = 18;

export function LanesCanvas() {
  const parts = useLiveParts();
  const room = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(room, 800);
  const slots = useLive(({ view }) => view.slots.length);
  const height = lanesHeight(slots);
  const [hover, setHover] = useState<{ readonly x: number; readonly y: number; readonly hit: LaneHit } | null>(null);
  useDrawing(parts, canvas, width, height);

  const scale = (): TimeScale => timeScale(width, parts.clock.now(), parts.store.getState().lanesMs);
  const at = ({ nativeEvent }: PointerEvent) => ({ x: nativeEvent.offsetX, y: nativeEvent.offsetY });
  const hitOf = (event: PointerEvent) => {
    const { x, y } = at(event);
    return hitAt(parts.store.getState().lanes, scale(), x, y);
  };
  const onPointerDown = (event: PointerEvent) => {
    const hit = hitOf(event);
    if (hit?.kind === "mark") inspect(parts, hit.mark.decision);
    else if (hit?.kind === "span" && hit.span.requestId !== null) select(parts, requestKey(hit.span.requestId));
    else if (at(event).y > height - AXIS_HEIGHT) goToTime(parts, timeAt(scale(), at(event).x));
  };
  const onPointerMove = (event: PointerEvent) => {
    if (event.buttons === 1 && at(event).y > height - AXIS_HEIGHT) goToTime(parts, timeAt(scale(), at(event).x));
    setHover({ ...at(event), hit: hitOf(event) });
  };
  return (
    <div ref={room} className="relative mx-4 min-h-0 overflow-x-hidden overflow-y-auto" data-testid="lanes">
      <canvas
        ref={canvas}
        role="img"
        aria-label={useSummary()}
        style={{ width, height }}
        className="block"
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHover(null)}
      />
      {hover?.hit && (
        <span
          className="pointer-events-none absolute z-10 max-w-80 truncate rounded-2 border border-edge bg-pane px-2 py-0.5 text-11 whitespace-nowrap shadow-lift"
          style={{ left: Math.min(hover.x + 12, Math.max(0, width - 260)), top: Math.max(0, hover.y - 24) }}
        >
          {hitText(hover.hit, parts.clock.now())}
        </span>
      )}
    </div>
  );
}

function useSummary(): string {
  const second = useNow(2_000);
  return useLive(({ lanes, lanesMs }) => laneSummary(lanes, lanesMs, second));
}

/** Live: at each frame, once a second where motion is not wanted. Paused: after each change. */
function useDrawing(
  parts: LiveParts,
  canvas: { readonly current: HTMLCanvasElement | null },
  width: number,
  height: number,
): void {
  const calm = useMedia("(prefers-reduced-motion: reduce)");
  const paused = useLive((state) => state.cursor !== null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const density = window.devicePixelRatio;
    element.width = Math.round(width * density);
    element.height = Math.round(height * density);
    context.scale(density, density);
    let ink: Ink = readInk(document.documentElement);
    const draw = () => {
      const state = parts.store.getState();
      const scale = timeScale(width, parts.clock.now(), state.lanesMs);
      const selectedRequest = requestOfKey(state.selected);
      drawLanes(context, { state, scale, width, height, ink, selectedRequest });
    };
    const theme = new MutationObserver(() => {
      ink = readInk(document.documentElement);
      draw();
    });
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    draw();
    const stop = paused ? parts.store.subscribe(draw) : calm ? everySecond(draw) : everyFrame(draw);
    return () => {
      stop();
      theme.disconnect();
    };
  }, [parts, canvas, width, height, calm, paused]);
}

function everyFrame(draw: () => void): () => void {
  let asked = requestAnimationFrame(function next() {
    draw();
    asked = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(asked);
}

function everySecond(draw: () => void): () => void {
  const timer = setInterval(draw, 1_000);
  return () => clearInterval(timer);
}
