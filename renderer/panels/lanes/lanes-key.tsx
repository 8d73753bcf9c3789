/** What shapes and textures in the lanes mean, in three groups: decisions, ways to prefill, the rest. Goes first where there is little room. */
import type { ReactNode } from "react";

type Shape = readonly [word: string, shape: ReactNode];

const DECISIONS: readonly Shape[] = [
  ["admit", <path key="s" d="M7 2 11 9H3z" fill="currentColor" />],
  ["evict", <path key="s" d="M7 10 11 3H3z" fill="none" stroke="currentColor" />],
  ["keep", <circle key="s" cx="7" cy="6" r="4" fill="currentColor" />],
  ["no change", <path key="s" d="M7 3v6" stroke="currentColor" />],
];

const PREFILL: readonly Shape[] = [
  ["computed", <rect key="s" y="1" width="14" height="10" rx="2" fill="currentColor" />],
  ["in place", <rect key="s" x=".5" y="1.5" width="13" height="9" rx="2" fill="none" stroke="currentColor" />],
  [
    "forked",
    <path key="s" d="M1.5 1v10M4.5 1v10M7.5 1v10M10.5 1v10M13.5 1v10" stroke="currentColor" strokeWidth="1.5" />,
  ],
];

const REST: readonly Shape[] = [
  [
    "decode",
    <rect
      key="s"
      x=".5"
      y="1.5"
      width="13"
      height="9"
      rx="2"
      fill="currentColor"
      fillOpacity=".24"
      stroke="currentColor"
    />,
  ],
  ["warm", <path key="s" d="M0 9 4 3M5 9l4-6M10 9l4-6" stroke="currentColor" strokeWidth="1.5" />],
  [
    "predicted",
    <rect
      key="s"
      x=".5"
      y="1.5"
      width="13"
      height="9"
      rx="2"
      fill="none"
      stroke="currentColor"
      strokeDasharray="2 2"
    />,
  ],
];

export function LanesKey() {
  return (
    <span className="flex h-4 min-w-0 shrink-[1000] flex-wrap items-center justify-end gap-x-3 overflow-hidden text-11 narrow:hidden">
      <Shapes shapes={DECISIONS} />
      <i className="h-4 w-px bg-edge" />
      Prefill
      <Shapes shapes={PREFILL} />
      <i className="h-4 w-px bg-edge" />
      <Shapes shapes={REST} />
    </span>
  );
}

function Shapes({ shapes }: { readonly shapes: readonly Shape[] }) {
  return shapes.map(([word, shape]) => (
    <span key={word} className="inline-flex flex-none items-center gap-1.5">
      <svg width="14" height="12" aria-hidden="true">
        {shape}
      </svg>
      {word}
    </span>
  ));
}
