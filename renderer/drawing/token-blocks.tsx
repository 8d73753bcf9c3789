/** The bar of 32 token blocks of one slot, each a whole number of pixels wide. */
import { memo } from "react";
import { BLOCKS, type BlockLayout, blockKind } from "./block-layout";

interface Props extends BlockLayout {
  readonly state: "running" | "warm" | "lost";
  readonly label: string;
}

const PLACES = Array.from({ length: BLOCKS }, (_, index) => index);

export const TokenBlocks = memo(function TokenBlocks({ state, label, ...layout }: Props) {
  const caretAt = state === "running" ? layout.heldEnd - 1 : -1;
  return (
    <span className="blocks" role="img" aria-label={label}>
      {PLACES.map((index) => (
        <i key={index} className={`${blockKind(layout, index, state)} ${index === caretAt ? "caret" : ""}`} />
      ))}
    </span>
  );
});
