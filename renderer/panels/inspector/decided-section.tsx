/** Winner minus runner-up, term by term: filled bars speak for the winner, hollow ones against; they add up to the margin. */
import type { Inspection } from "../../../core/inspect/inspection";
import { scoreFigure, signedFigure, TERMS } from "./inspector-words";

export function DecidedSection({ inspection: { decided, marginMs } }: { readonly inspection: Inspection }) {
  const { differences } = decided;
  if (marginMs === null || differences.length === 0) return null;
  const most = Math.max(...differences.map(({ ms }) => Math.abs(ms)));
  return (
    <div className="inspector-section">
      <h3 className="mb-1 flex items-baseline justify-between">
        What decided it <small className="text-11 font-normal text-ink-3">winner minus runner-up, ms</small>
      </h3>
      {differences.map(({ term, ms }) => (
        <div className="difference" key={term} data-testid="difference" data-term={term}>
          <span className="text-ink-2">{TERMS.find((known) => known.term === term)?.title}</span>
          <span className="axis">
            <i className={ms > 0 ? "for" : "against"} style={{ width: `${(46 * Math.abs(ms)) / most}%` }} />
          </span>
          <span className="text-right" data-testid="difference-ms">
            {signedFigure(ms)}
          </span>
        </div>
      ))}
      <div className="difference margin">
        <span>Margin</span>
        <span />
        <span className="text-right" data-testid="margin">
          {scoreFigure(marginMs)}
        </span>
      </div>
    </div>
  );
}
