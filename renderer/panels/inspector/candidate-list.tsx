/** All candidates of a decision, best first, each with its terms in milliseconds; choosing one chooses its request everywhere. */
import { type CSSProperties, type ReactNode, useState } from "react";
import type { InspectedCandidate, Inspection } from "../../../core/inspect/inspection";
import type { Terms } from "../../../core/topas/decision";
import { AgentTag, useAgentColours } from "../../drawing/agent-tag";
import { Icon } from "../../drawing/icon";
import { requestKey, useSelection } from "../../store/selection";
import { scoreFigure, shownTerms, signedFigure, type TERMS } from "./inspector-words";

const SHOWN_AT_FIRST = 6;

type SortKey = keyof Terms | "score";

export function CandidateList({ inspection }: { readonly inspection: Inspection }) {
  const [sortedBy, setSortedBy] = useState<SortKey>("score");
  const [isWhole, setWhole] = useState(false);
  const sorted = inOrder(inspection.candidates, sortedBy);
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  const more = sorted.length - shown.length;
  const terms = shownTerms(inspection);
  const columns = { "--terms": terms.length } as CSSProperties;
  return (
    <section className="border-b border-hairline pt-3 pb-2" aria-label="Candidates" style={columns}>
      <div className="candidate titles">
        {terms.map(({ term, title, says }) => (
          <SortButton key={term} title={title} says={says} by={term} now={sortedBy} onSort={setSortedBy} />
        ))}
        <SortButton title="Score, ms" says="Sum of the terms" by="score" now={sortedBy} onSort={setSortedBy} />
      </div>
      {shown.map((one) => (
        <CandidateRow
          key={`${one.place}`}
          candidate={one}
          kept={inspection.kept !== null && one.action === "hold"}
          terms={terms}
        />
      ))}
      {more > 0 && (
        <button type="button" className="button bare mx-2 mt-1" onClick={() => setWhole(true)}>
          Show {more} more
        </button>
      )}
    </section>
  );
}

/** By score they stand as they were decided. */
function inOrder(candidates: readonly InspectedCandidate[], by: SortKey): readonly InspectedCandidate[] {
  if (by === "score") return candidates;
  return [...candidates].sort((a, b) => b.termsMs[by] - a.termsMs[by] || a.place - b.place);
}

interface SortProps {
  readonly title: string;
  readonly says: string;
  readonly by: SortKey;
  readonly now: SortKey;
  readonly onSort: (by: SortKey) => void;
}

function SortButton({ title, says, by, now, onSort }: SortProps) {
  return (
    <button type="button" title={`${says}. Sort by it.`} aria-pressed={by === now} onClick={() => onSort(by)}>
      {title}
    </button>
  );
}

interface RowProps {
  readonly candidate: InspectedCandidate;
  readonly kept: boolean;
  readonly terms: typeof TERMS;
}

function CandidateRow({ candidate, kept, terms }: RowProps) {
  const { requestId, place } = candidate;
  const { selected, toggle } = useSelection(requestId === null ? null : requestKey(requestId));
  const className = `candidate ${place === 1 ? "won" : ""}`;
  const data = { "data-testid": "candidate", "data-place": place };
  const cells = <CandidateCells candidate={candidate} kept={kept} terms={terms} />;
  if (requestId === null) {
    return (
      <div className={className} {...data}>
        {cells}
      </div>
    );
  }
  return (
    <button type="button" className={className} aria-pressed={selected} data-selectable="" onClick={toggle} {...data}>
      {cells}
    </button>
  );
}

function CandidateCells({ candidate, kept, terms }: RowProps) {
  const { termsMs, scoreMs, place } = candidate;
  return (
    <>
      <span className="what">
        <CandidateWords candidate={candidate} kept={kept} />
      </span>
      <b className="text-13" data-testid="candidate-score">
        {scoreFigure(scoreMs)}
      </b>
      {terms.map(({ term, title }) => (
        <span
          key={term}
          className={termsMs[term] === 0 ? "text-ink-3" : "text-ink-2"}
          title={title}
          data-testid={`candidate-${term}`}
        >
          {signedFigure(termsMs[term])}
        </span>
      ))}
      <span className="flex items-center justify-end gap-1 text-ink-2">
        {place === 1 && <Icon name="done" small />}
        {place === 1 ? "won" : place === 2 ? "runner-up" : ""}
      </span>
    </>
  );
}

function CandidateWords({ candidate, kept }: { readonly candidate: InspectedCandidate; readonly kept: boolean }) {
  const { action, agent, label, slot, evicts } = candidate;
  if (action === "hold" && (!kept || agent === null)) return <>Admit nobody</>;
  if (action === "hold") {
    return (
      <>
        Keep <Named agent={agent ?? ""}>{agent}</Named>
        <span className="truncate">in slot {slot}, admit nobody</span>
      </>
    );
  }
  return (
    <>
      {action === "park" && "Park"}
      <Named agent={agent ?? ""}>{label}</Named>
      <span>{action === "park" ? `of slot ${slot}` : `to slot ${slot}${evicts.length > 0 ? ", evict" : ""}`}</span>
      {evicts.map((evicted) => (
        <Named key={evicted} agent={evicted}>
          {evicted}
        </Named>
      ))}
    </>
  );
}

function Named({ agent, children }: { readonly agent: string; readonly children: ReactNode }) {
  const colours = useAgentColours(agent);
  return (
    <span className="flex min-w-0 items-center gap-1.5" style={colours}>
      <AgentTag name={agent} little />
      <span className="truncate" dir="auto">
        {children}
      </span>
    </span>
  );
}
