/** Something that stands for a request or a stage and can be selected; arrow keys go from one to the next in its pane. */
import type { CSSProperties, KeyboardEvent, ReactNode } from "react";
import { requestOfKey, useSelection } from "../store/selection";

interface Props {
  readonly selectionKey: string | null;
  readonly className: string;
  readonly style?: CSSProperties;
  readonly title?: string;
  readonly testId: string;
  readonly data?: Readonly<Record<`data-${string}`, string | undefined>>;
  readonly children: ReactNode;
}

export function Selectable({ selectionKey, className, style, title, testId, data, children }: Props) {
  const { selected, toggle } = useSelection(selectionKey);
  if (selectionKey === null) {
    return (
      <div className={className} style={style} title={title} data-testid={testId} {...data}>
        {children}
      </div>
    );
  }
  return (
    <button
      type="button"
      className={`selectable ${className}`}
      style={style}
      title={title}
      aria-pressed={selected}
      data-testid={testId}
      data-selectable=""
      data-request={requestOfKey(selectionKey) ?? undefined}
      {...data}
      onClick={toggle}
    >
      {children}
    </button>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** For the element around: Up and Down move the focus, and the selection with it. */
export function stepSelection(event: KeyboardEvent<HTMLElement>): void {
  const by = STEPS[event.key];
  if (by === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-selectable]")];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (next.ariaPressed !== "true" && next.ariaSelected !== "true") next.click();
}
