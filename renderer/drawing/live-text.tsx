/** Numbers and bars that follow the state at each frame without drawing React again: they write to their own element. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Milliseconds } from "../../core/contract/ids";
import { useLiveParts } from "../store/live-context";
import type { LiveState } from "../store/live-store";

interface TextProps {
  readonly read: (state: LiveState, nowMs: Milliseconds) => string;
  /** True when the text tells a running time. */
  readonly ticking?: boolean;
  readonly className?: string;
  readonly title?: string;
}

export function LiveText({ read, ticking = false, className, title }: TextProps) {
  const { store, clock } = useLiveParts();
  const element = useRef<HTMLSpanElement>(null);
  useFollow(ticking, element, (span) => {
    const text = read(store.getState(), clock.now());
    if (span.textContent !== text) span.textContent = text;
  });
  return (
    <span ref={element} className={className} title={title}>
      {read(store.getState(), clock.now())}
    </span>
  );
}

interface BarProps {
  /** 0..1 */
  readonly read: (state: LiveState) => number;
  readonly className: string;
}

export function LiveBar({ read, className }: BarProps) {
  const { store } = useLiveParts();
  const element = useRef<HTMLElement>(null);
  const scale = () => `scaleX(${Math.min(1, Math.max(0, read(store.getState()))).toFixed(4)})`;
  useFollow(false, element, (bar) => {
    bar.style.transform = scale();
  });
  return <i ref={element} className={`block origin-left ${className}`} style={{ transform: scale() }} />;
}

function useFollow<Node extends HTMLElement>(
  ticking: boolean,
  element: RefObject<Node | null>,
  write: (node: Node) => void,
): void {
  const { store, clock } = useLiveParts();
  const newest = useRef(write);
  useLayoutEffect(() => {
    newest.current = write;
  });
  useLayoutEffect(() => {
    const follow = () => {
      if (element.current) newest.current(element.current);
    };
    follow();
    const stopStore = store.subscribe(follow);
    const stopClock = ticking ? clock.subscribe(follow) : null;
    return () => {
      stopStore();
      stopClock?.();
    };
  }, [store, clock, ticking, element]);
}
