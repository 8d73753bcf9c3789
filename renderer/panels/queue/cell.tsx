/** One cell of the queue's grid. */
import type { ReactNode } from "react";

interface Props {
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

export function Cell({ className, title, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the queue is a grid of its own, not a table
    // biome-ignore lint/a11y/useFocusableInteractive: the row around it takes the focus
    <span role="gridcell" className={className} title={title}>
      {children}
    </span>
  );
}
