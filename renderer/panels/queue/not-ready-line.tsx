/** A stage that cannot start yet, in one line: whose answers it needs. */
import { AgentTag, useAgentColours } from "../../drawing/agent-tag";
import { Icon } from "../../drawing/icon";
import { stageKey, useSelection } from "../../store/selection";
import type { NotReadyRow } from "../../words/tasks";
import { Cell } from "./cell";

export function NotReadyLine({ row }: { readonly row: NotReadyRow }) {
  const { stage } = row;
  const colours = useAgentColours(stage.agent);
  const { selected, toggle } = useSelection(stageKey(row.taskId, stage));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of the queue's grid
    <div
      role="row"
      tabIndex={0}
      aria-selected={selected}
      data-selectable=""
      className="selectable queue-row queue-grid h-7 border-t border-hairline text-12 text-ink-2"
      style={colours}
      onClick={toggle}
      onKeyDown={(event) => {
        if (event.key === "Enter") toggle();
      }}
    >
      <Cell className="grid justify-items-end text-ink-3">
        <Icon name={stage.phase === "next" ? "next" : "locked"} small />
      </Cell>
      <Cell className="flex min-w-0 items-center gap-2">
        <AgentTag name={stage.agent ?? stage.label} hollow />
        <span className="truncate" dir="auto">
          {stage.label}
        </span>
      </Cell>
      <Cell className="col-span-3 truncate">{row.flow}</Cell>
      <Cell className="flex min-w-0 justify-between gap-4">
        <span className="truncate">{row.sentence}</span>
        <span className="code">{row.code}</span>
      </Cell>
    </div>
  );
}
