/** The menu of all policies, each with a line on what it does. Opens over the page; Esc or a click beside it closes it. */
import type { KeyboardEvent, RefObject } from "react";
import type { PolicyName } from "../../core/contract/policy-name";
import { Icon } from "../drawing/icon";
import type { PolicyWords } from "../words/policies";

interface Props {
  readonly id: string;
  readonly menu: RefObject<HTMLDivElement | null>;
  readonly policies: readonly PolicyWords[];
  readonly chosen: PolicyName;
  readonly onChoose: (name: PolicyName) => void;
}

export function PolicyMenu({ id, menu, policies, chosen, onChoose }: Props) {
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitemradio]") ?? [])];
  const focusFirst = () => {
    const all = items();
    (all.find((item) => item.ariaChecked === "true") ?? all[0])?.focus();
  };
  const move = (event: KeyboardEvent) => {
    // The arrows are the menu's own while it is open: the buttons beside it must not hear of them.
    event.stopPropagation();
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  };
  return (
    <div
      id={id}
      ref={menu}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label="All policies"
      data-testid="policy-menu"
      className="inset-auto m-0 mt-1 w-100 rounded-4 border border-edge bg-pane p-1 text-ink-1 shadow-lift [justify-self:end] [position-anchor:--policy-menu] [position-area:bottom_span-left]"
      onKeyDown={move}
      onToggle={({ newState }) => {
        if (newState === "open") focusFirst();
      }}
    >
      {policies.map(({ name, label, line }) => (
        <button
          key={name}
          type="button"
          role="menuitemradio"
          aria-checked={name === chosen}
          tabIndex={-1}
          className="grid w-full grid-cols-[16px_1fr] items-center gap-x-2 rounded-3 px-2 py-1 text-left hover:bg-control focus:bg-control focus:outline-none"
          onClick={() => {
            onChoose(name);
            menu.current?.hidePopover();
          }}
        >
          <span>{name === chosen && <Icon name="done" />}</span>
          <span className="text-12 font-medium">{label}</span>
          <small className="col-start-2 text-11 font-normal text-ink-2">{line}</small>
        </button>
      ))}
    </div>
  );
}
