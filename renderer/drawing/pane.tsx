/** A pane of the live screen: title, what stands at its right, and a body; a fault in it stays inside it. */
import { Component, type ReactNode } from "react";
import { Icon } from "./icon";

interface PaneProps {
  readonly title: string;
  readonly testId: string;
  readonly beside?: ReactNode;
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Pane({ title, testId, beside, aside, className = "", children }: PaneProps) {
  return (
    <section
      className={`flex min-h-0 min-w-0 flex-col overflow-hidden ${className}`}
      aria-label={title}
      data-testid={testId}
    >
      <header className="flex h-9 flex-none items-center gap-2 px-4 text-12 whitespace-nowrap text-ink-2 short:h-8">
        <h2 className="text-13 text-ink-1">{title}</h2>
        <span className="mr-auto min-w-0 truncate text-13">{beside}</span>
        {aside}
      </header>
      <PaneBoundary title={title}>{children}</PaneBoundary>
    </section>
  );
}

interface BoundaryProps {
  readonly title: string;
  readonly children: ReactNode;
}

export class PaneBoundary extends Component<BoundaryProps, { readonly message: string | null }> {
  override state = { message: null };

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    if (this.state.message === null) return this.props.children;
    return (
      <div role="alert" className="m-4 flex items-start gap-2 text-12">
        <span className="text-bad">
          <Icon name="warning" />
        </span>
        <p className="min-w-0 flex-1 select-text">
          {this.props.title} cannot be drawn: {this.state.message}. The server goes on.
        </p>
        <button type="button" className="button" onClick={() => this.setState({ message: null })}>
          Draw again
        </button>
      </div>
    );
  }
}
