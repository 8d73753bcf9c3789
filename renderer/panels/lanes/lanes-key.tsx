/** What shapes and textures in the lanes mean. Goes first where there is little room. */
import type { ReactNode } from "react";

const SHAPES: readonly (readonly [string, ReactNode])[] = [
  ["admit", <path key="s" d="M6 2 10 9H2z" fill="currentColor" />],
  ["evict", <path key="s" d="M6 10 10 3H2z" fill="none" stroke="currentColor" />],
  ["keep", <circle key="s" cx="6" cy="6" r="4" fill="currentColor" />],
  ["no change", <path key="s" d="M6.5 3v6" stroke="currentColor" />],
  ["prefill", <rect key="s" y="1" width="12" height="10" rx="2" fill="currentColor" />],
  ["in place", <rect key="s" x=".5" y="1.5" width="11" height="9" rx="2" fill="none" stroke="currentColor" />],
  ["forked", <path key="s" d="M1.5 1v10M4.5 1v10M7.5 1v10M10.5 1v10" stroke="currentColor" strokeWidth="1.5" />],
  [
    "decode",
    <rect
      key="s"
      x=".5"
      y="1.5"
      width="11"
      height="9"
      rx="2"
      fill="currentColor"
      fillOpacity=".24"
      stroke="currentColor"
    />,
  ],
  ["warm", <path key="s" d="M0 9 4 3M4 9l4-6M8 9l4-6" stroke="currentColor" strokeWidth="1.5" />],
];

export function LanesKey() {
  return (
    <span className="flex flex-none gap-3 text-11 narrow:hidden">
      {SHAPES.map(([word, shape]) => (
        <span key={word} className="inline-flex items-center gap-1">
          <svg width="12" height="12" aria-hidden="true">
            {shape}
          </svg>
          {word}
        </span>
      ))}
    </span>
  );
}
