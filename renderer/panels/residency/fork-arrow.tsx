/** In the margin: from the slot that was copied to the one that got the copy. */
import type { CSSProperties } from "react";
import type { SlotIndex } from "../../../core/contract/ids";

export function ForkArrow({ from, to }: { readonly from: SlotIndex; readonly to: SlotIndex }) {
  const rows = Math.abs(to - from);
  if (rows === 0) return null;
  return (
    <span
      className={`fork-arrow ${from < to ? "downwards" : "upwards"}`}
      style={{ "--rows": rows } as CSSProperties}
      aria-hidden="true"
    >
      <svg viewBox="0 0 5 7" aria-hidden="true">
        <path d="M1 .5 4 3.5 1 6.5" />
      </svg>
    </span>
  );
}
