/** What would have turned the decision. Each line was found by asking the planner again with that one thing changed. */
import type { ChangeKind, Flips } from "../../../core/inspect/inspection";
import { Icon, type IconName } from "../../drawing/icon";
import { counted, listed } from "../../words/figures";
import { movedWords } from "./inspector-words";

const ICONS: Readonly<Record<ChangeKind, IconName>> = {
  older: "waiting",
  prefix_resident: "warm",
  prefix_gone: "cold",
  shorter_answer: "prefill",
  more_room: "fork",
  term_off: "close",
  stage_farther: "next",
  workflow_ends: "done",
  no_act: "held",
};

const TRIED: Readonly<Record<ChangeKind, string>> = {
  older: "a longer wait",
  prefix_resident: "a warm prefix",
  prefix_gone: "the winner's prefix gone",
  shorter_answer: "a shorter answer",
  more_room: "one more slot",
  term_off: "each term off",
  stage_farther: "later stages further away",
  workflow_ends: "a workflow that ends there",
  no_act: "none of your acts",
};

export function FlipsSection({ flips }: { readonly flips: Flips }) {
  const { target, list, tried, asked } = flips;
  if (target === null || tried.length === 0) return null;
  return (
    <div className="inspector-section select-text">
      <h3 className="mb-1" title={`The planner was asked ${counted(asked, "time")} again`}>
        {list.length > 0 ? `${target} would have won if` : `Nothing tried turns it to ${target}`}
      </h3>
      {list.length === 0 && (
        <p className="text-12 text-ink-2">
          {`Tried, asking the planner ${counted(asked, "time")}: ${listed(tried.map((kind) => TRIED[kind]))}.`}
        </p>
      )}
      <ul className="grid gap-1 text-12 leading-[18px]">
        {list.map((flip) => (
          <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-2" key={flip.sentence} data-testid="flip">
            <Icon name={ICONS[flip.change]} />
            <span>
              {flip.sentence}
              {movedWords(flip) !== null && <span className="text-ink-2"> ({movedWords(flip)})</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
