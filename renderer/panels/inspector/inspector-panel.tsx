/**
 * Takes one decision apart: what was done and why, all candidates with their terms, what would have turned it, what came of
 * it. Everything in it is worked out by the core from the state of that moment; this only draws it.
 */
import type { KeyboardEvent } from "react";
import { Icon, type IconName } from "../../drawing/icon";
import { PaneBoundary } from "../../drawing/pane";
import { stepSelection } from "../../drawing/selectable";
import { count } from "../../words/figures";
import { InspectionSections } from "./inspection-sections";
import { missingText } from "./inspector-words";
import { useInspection } from "./use-inspection";

interface Props {
  readonly decision: number;
  /** Another decision: the one before, the one after. */
  readonly onInspect: (decision: number) => void;
  readonly onClose: () => void;
}

export function InspectorPanel({ decision, onInspect, onClose }: Props) {
  const earlier = () => decision > 1 && onInspect(decision - 1);
  const later = () => onInspect(decision + 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    } else stepSelection(event);
  };
  return (
    <aside className="inspector" aria-label="Decision inspector" data-testid="inspector" onKeyDown={onKeyDown}>
      <header className="flex h-12 flex-none items-center gap-1 border-b border-hairline pr-2 pl-4 short:h-10">
        <h2 className="mr-auto text-13">Decision {count(decision)}</h2>
        <HeadButton icon="earlier" label="Earlier decision" keyName="J" onClick={earlier} disabled={decision <= 1} />
        <HeadButton icon="later" label="Later decision" keyName="K" onClick={later} />
        <HeadButton icon="close" label="Close the inspector" keyName="Esc" onClick={onClose} />
      </header>
      <PaneBoundary title="The inspector">
        <InspectorBody decision={decision} />
      </PaneBoundary>
    </aside>
  );
}

interface HeadButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly keyName: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function HeadButton({ icon, label, keyName, disabled = false, onClick }: HeadButtonProps) {
  return (
    <button
      type="button"
      className="button bare square"
      title={`${label} (${keyName})`}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function InspectorBody({ decision }: { readonly decision: number }) {
  const result = useInspection(decision);
  if (result === null) return <p className="p-4 text-12 text-ink-2">Asking the planner again …</p>;
  if (result.kind === "found") return <InspectionSections inspection={result.inspection} />;
  return (
    <p className="p-4 text-13 text-ink-2 select-text" data-testid="inspector-missing">
      {missingText(decision, result)}
    </p>
  );
}
