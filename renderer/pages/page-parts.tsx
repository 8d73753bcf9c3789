/** What the views beside Live are made of: a title, sections with hairlines, facts in two columns, and one sentence where nothing is. */
import type { ReactNode } from "react";
import { DemoButton } from "../screens/demo-button";
import { useLive } from "../store/live-context";

export function PageFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main
      className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-pane px-6 pb-10"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
      tabIndex={0}
      data-testid="page"
    >
      <h1 className="py-4 text-20">{title}</h1>
      <div className="grid max-w-220 gap-8">{children}</div>
    </main>
  );
}

export function PageSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="border-b border-hairline pb-2 text-13">{title}</h2>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[minmax(140px,220px)_minmax(0,1fr)] text-12">
      {facts.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid border-b border-hairline py-2">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-w-0 break-words select-text">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Before anything has run: one sentence and the same button as on the start screen. */
export function NothingYet({ children }: { readonly children: ReactNode }) {
  const mayRun = useLive(({ status }) => status.recording === null && status.demo.phase !== "running");
  return (
    <div className="grid justify-items-start gap-4 pt-2 text-13 text-ink-2">
      <p>{children}</p>
      {mayRun && <DemoButton words="Run the demo crew" />}
    </div>
  );
}
