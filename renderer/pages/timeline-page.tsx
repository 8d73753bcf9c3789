/** The last minute as lanes, and the decisions of that time as a list: choosing one goes to its moment. */
import { AgentTag, useAgentColours } from "../drawing/agent-tag";
import { MARK_WORDS } from "../panels/lanes/lane-words";
import { LanesPanel } from "../panels/lanes/lanes-panel";
import { useLive, useLiveParts, useLiveShape } from "../store/live-context";
import { goToDecision } from "../store/navigate";
import { age, count } from "../words/figures";
import { NothingYet } from "./page-parts";

/** More than a screen's worth; the cursor goes further back. */
const ROWS_MAX = 200;

export function TimelinePage() {
  const decisions = useLiveShape(({ lanes }) =>
    lanes.marks
      .slice(-ROWS_MAX)
      .map(({ eventNumber }) => eventNumber)
      .reverse(),
  );
  return (
    <main className="flex min-h-0 min-w-0 flex-1 flex-col bg-pane" data-testid="page">
      <h1 className="sr-only">Timeline</h1>
      <LanesPanel />
      <h2 className="border-y border-hairline px-4 py-2 text-13">
        Decisions <span className="font-normal text-ink-2">of the last minute before this moment, newest first</span>
      </h2>
      {decisions.length === 0 && (
        <div className="px-4 py-3">
          <NothingYet>Nothing has been decided yet.</NothingYet>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <ol className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} aria-label="Decisions">
        {decisions.map((eventNumber) => (
          <DecisionRow key={eventNumber} eventNumber={eventNumber} />
        ))}
      </ol>
    </main>
  );
}

function DecisionRow({ eventNumber }: { readonly eventNumber: number }) {
  const parts = useLiveParts();
  const mark = useLive(({ lanes }) => lanes.marks.find((one) => one.eventNumber === eventNumber));
  const inspected = useLive((state) => state.inspected === mark?.decision);
  const event = useLive(({ history }) => history.eventAt(eventNumber));
  const agent = useLive(({ view, lanes }) => {
    const requestId = mark?.requestId ?? null;
    if (requestId === null) return null;
    // One that has ended is known from its time in the lanes.
    return view.requests[requestId]?.agent ?? lanes.over.find((span) => span.requestId === requestId)?.agent ?? null;
  });
  const colours = useAgentColours(agent);
  if (mark === undefined) return null;
  const verdict = event?.kind === "decision.made" ? event.decision.verdict : "";
  return (
    <li className="border-b border-hairline" style={colours}>
      <button
        type="button"
        aria-pressed={inspected}
        className="selectable grid min-h-8 w-full grid-cols-[64px_72px_220px_minmax(0,1fr)] items-center gap-4 px-4 text-left text-12 hover:bg-raised aria-pressed:bg-raised aria-pressed:[box-shadow:inset_2px_0_0_var(--ink-1)]"
        onClick={() => goToDecision(parts, mark.decision)}
      >
        <span className="text-right text-ink-2">{count(mark.decision)}</span>
        <span className="text-right">{age(mark.atMs)}</span>
        <span className="flex min-w-0 items-center gap-2 text-ink-2">
          {agent !== null && <AgentTag name={agent} little />}
          <span className="truncate">{MARK_WORDS[mark.kind]}</span>
        </span>
        <span className="truncate" title={verdict}>
          {verdict}
        </span>
      </button>
    </li>
  );
}
