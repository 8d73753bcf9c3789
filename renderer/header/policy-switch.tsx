/**
 * Chooses the scheduling policy: those that people compare most as buttons, all of them in a menu behind the last; where there is
 * little room that one alone. The choice shown is the one the core has confirmed.
 */
import { type KeyboardEvent, useRef } from "react";
import type { PolicyName } from "../../core/contract/policy-name";
import { isLive } from "../acts/is-live";
import { choosePolicy } from "../acts/server-acts";
import { Icon } from "../drawing/icon";
import { useLive, useLiveParts } from "../store/live-context";
import { POLICIES } from "../words/policies";
import { PolicyMenu } from "./policy-menu";

const BESIDE: readonly PolicyName[] = ["topas", "fcfs", "lpm"];
const buttons = POLICIES.filter(({ name }) => BESIDE.includes(name));

const SEGMENT =
  "flex items-center gap-1 rounded-2 px-2 text-ink-2 hover:text-ink-1 disabled:text-ink-3 aria-checked:bg-pane aria-checked:text-ink-1 " +
  "aria-checked:[box-shadow:0_0_0_1px_var(--line-2)]";

export function PolicySwitch() {
  const policy = useLive((state) => state.view.policy);
  const parts = useLiveParts();
  const group = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const choose = (name: PolicyName) => {
    choosePolicy(parts, name);
  };
  const chosen = POLICIES.find(({ name }) => name === policy);
  const isOther = !BESIDE.includes(policy);
  const live = useLive(isLive);

  /** Arrows go from button to button; only those that stand for one policy are chosen by it. */
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const segments = [...(group.current?.querySelectorAll<HTMLElement>("[role=radio]") ?? [])];
    const at = segments.indexOf(event.target as HTMLElement);
    if (by === undefined || at < 0) return;
    event.preventDefault();
    const to = (at + by + segments.length) % segments.length;
    segments[to]?.focus();
    const next = buttons[to];
    if (next !== undefined) choose(next.name);
  };

  return (
    <>
      <div
        ref={group}
        role="radiogroup"
        aria-label="Policy"
        data-testid="header-policy"
        className="flex h-7 flex-none gap-0.5 rounded-3 bg-control p-0.5 text-12 font-medium"
        onKeyDown={step}
      >
        {buttons.map(({ name, label, line }) => (
          // biome-ignore lint/a11y/useSemanticElements: buttons side by side; a native radio cannot be drawn as one
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={policy === name}
            tabIndex={policy === name ? 0 : -1}
            title={line}
            disabled={!live}
            className={`${SEGMENT} narrow:hidden`}
            onClick={() => choose(name)}
          >
            {label}
          </button>
        ))}
        {/** biome-ignore lint/a11y/useSemanticElements: the menu is one choice of the same group of buttons */}
        <button
          type="button"
          role="radio"
          aria-checked={isOther}
          aria-haspopup="menu"
          aria-label={isOther && chosen ? `${chosen.label}, all policies` : "All policies"}
          tabIndex={isOther ? 0 : -1}
          title={isOther ? chosen?.line : "All policies"}
          disabled={!live}
          popoverTarget="policy-menu"
          className={`${SEGMENT} [anchor-name:--policy-menu]`}
          onKeyDown={({ key }) => {
            if (key === "ArrowDown") menu.current?.showPopover();
          }}
        >
          <span className={isOther ? "" : "hidden narrow:inline"}>{chosen?.label}</span>
          <Icon name={isOther ? "open" : "more"} small />
        </button>
      </div>
      <PolicyMenu id="policy-menu" menu={menu} policies={POLICIES} chosen={policy} onChoose={choose} />
    </>
  );
}
