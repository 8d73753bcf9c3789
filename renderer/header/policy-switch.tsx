/** Chooses the scheduling policy; the choice shown is the one the core has confirmed. */
import { type KeyboardEvent, useRef } from "react";
import type { PolicyName } from "../../core/contract/policy-name";
import { useCommand, useLive } from "../store/live-context";

const POLICIES: readonly { readonly name: PolicyName; readonly label: string; readonly title: string }[] = [
  {
    name: "topas",
    label: "TOPAS",
    title: "Knows the workflow: starts what ends tasks sooner, keeps prefixes that come next",
  },
  { name: "fcfs", label: "FCFS", title: "First come, first served" },
];

export function PolicySwitch() {
  const policy = useLive((state) => state.view.policy);
  const send = useCommand();
  const group = useRef<HTMLDivElement>(null);
  const choose = (name: PolicyName) => {
    if (name !== policy) void send((commands) => commands.choosePolicy(name));
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = POLICIES.findIndex((entry) => entry.name === policy);
    const to = (at + by + POLICIES.length) % POLICIES.length;
    const next = POLICIES[to];
    if (next) choose(next.name);
    group.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label="Policy"
      data-testid="header-policy"
      className="flex h-7 flex-none gap-0.5 rounded-3 bg-control p-0.5 text-12 font-medium"
      onKeyDown={step}
    >
      {POLICIES.map(({ name, label, title }) => (
        // biome-ignore lint/a11y/useSemanticElements: two buttons side by side; a native radio cannot be drawn as one
        <button
          key={name}
          type="button"
          role="radio"
          aria-checked={policy === name}
          tabIndex={policy === name ? 0 : -1}
          title={title}
          className="rounded-2 px-2 text-ink-2 hover:text-ink-1 aria-checked:bg-pane aria-checked:text-ink-1 aria-checked:[box-shadow:0_0_0_1px_var(--line-2)]"
          onClick={() => choose(name)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
