/** The inspector's sections, from the verdict down to what came of it, and at the foot the copy and at most one action. */
import type { Inspection } from "../../../core/inspect/inspection";
import { LiveText } from "../../drawing/live-text";
import { useCommand } from "../../store/live-context";
import { age } from "../../words/figures";
import { CandidateList } from "./candidate-list";
import { DecidedSection } from "./decided-section";
import { FlipsSection } from "./flips-section";
import { happenedText, marginLine, othersLines, predictedText, verdictParts } from "./inspector-words";

export function InspectionSections({ inspection }: { readonly inspection: Inspection }) {
  return (
    <>
      <section
        className="min-h-0 flex-1 overflow-y-auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        tabIndex={0}
        aria-label="Decision"
        data-testid="inspection"
        data-decision={inspection.decision}
        data-kind={inspection.kind}
      >
        <Verdict inspection={inspection} />
        <CandidateList inspection={inspection} />
        <DecidedSection inspection={inspection} />
        <FlipsSection flips={inspection.flips} />
        <Evictions inspection={inspection} />
        <Expectations inspection={inspection} />
      </section>
      <Foot inspection={inspection} />
    </>
  );
}

function Verdict({ inspection }: { readonly inspection: Inspection }) {
  const [done, why] = verdictParts(inspection.verdict);
  const { decided, others } = inspection;
  return (
    <div className="inspector-section select-text">
      <p className="text-12 text-ink-2">
        <LiveText ticking read={(_, nowMs) => `${age(nowMs - inspection.atMs)} ago`} />, {inspection.cause}
      </p>
      <p className="my-1 text-15 font-semibold" data-testid="inspector-verdict">
        {done}
      </p>
      {why !== null && <p className="mb-1 text-12">{why}</p>}
      {decided.kind === "term" && (
        <p className="mb-1 text-12" data-testid="inspector-why">
          {decided.sentence}
        </p>
      )}
      <p className="text-12 text-ink-2">
        <span data-testid="inspector-margin">{marginLine(inspection)}</span>
        {othersLines(others).map((line) => (
          <span className="block" key={line} data-testid="inspector-others">
            {line}
          </span>
        ))}
      </p>
    </div>
  );
}

function Evictions({ inspection: { evictions } }: { readonly inspection: Inspection }) {
  if (evictions.length === 0) return null;
  return (
    <div className="inspector-section select-text">
      <h3 className="mb-1">What it took away</h3>
      {evictions.map(({ agent, sentence }) => (
        <p className="text-12" key={agent} data-testid="inspector-eviction">
          {sentence}
        </p>
      ))}
    </div>
  );
}

function Expectations({ inspection: { expectations } }: { readonly inspection: Inspection }) {
  if (expectations.length === 0) return null;
  return (
    <div className="inspector-section inspector-columns select-text">
      <h3>At the decision</h3>
      <small className="text-11 text-ink-3">predicted</small>
      <small className="text-11 text-ink-3">happened</small>
      {expectations.map((one) => [
        <span className="truncate text-ink-2" title={one.what} key={`${one.what} what`}>
          {one.what}
        </span>,
        <span
          key={`${one.what} predicted`}
          className="border-b border-dashed border-edge leading-4"
          data-testid="inspector-predicted"
        >
          {predictedText(one)}
        </span>,
        <span
          key={`${one.what} happened`}
          className={one.happened === null ? "text-ink-3" : ""}
          data-testid="inspector-happened"
        >
          {happenedText(one)}
        </span>,
      ])}
    </div>
  );
}

/** Pinning is the one act that bears on a prefix that was kept or lost. */
function Foot({ inspection }: { readonly inspection: Inspection }) {
  const send = useCommand();
  const agent = inspection.kept?.agent ?? inspection.evictions[0]?.agent ?? null;
  const copy = () => void send((commands) => commands.copyText(JSON.stringify(inspection, null, 2)));
  return (
    <div className="flex flex-none items-center gap-2 border-t border-hairline px-4 py-2">
      {agent !== null && (
        <button
          type="button"
          className="button min-w-0"
          onClick={() => void send((commands) => commands.pinPrefix(agent))}
        >
          <span className="truncate">Pin {agent}</span>
        </button>
      )}
      <button type="button" className="button bare ml-auto" onClick={copy}>
        Copy as JSON
      </button>
    </div>
  );
}
