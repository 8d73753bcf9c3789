/** The ten-second answer: how many run, stay warm and wait, and one sentence. */
import { useEffect, useRef, useState } from "react";
import { decisionInQuestion } from "../acts/act-list";
import { Icon, type IconName } from "../drawing/icon";
import { useLive, useLiveParts, useLiveShape, useNow } from "../store/live-context";
import { inspect } from "../store/navigate";
import { nowSentence, tallyOf } from "../words/now-sentence";

const CHANGE_AT_MOST_EVERY_MS = 2_000;

export function NowLine() {
  const tally = useLiveShape(({ view }) => tallyOf(view));
  return (
    <div
      className="col-span-2 flex h-12 min-w-0 items-center gap-4 border-b border-hairline px-4 short:h-10"
      data-testid="now-line"
    >
      <div className="flex flex-none gap-4">
        <TallyPart icon="running" number={tally.running} word="running" />
        <TallyPart icon="warm" number={tally.warm} word="warm" />
        <TallyPart icon="waiting" number={tally.waiting} word="waiting" />
      </div>
      <i className="h-5 w-px flex-none bg-edge" />
      <div className="flex min-w-0 flex-1 items-center gap-1">
        <Sentence />
        <WhyButton />
      </div>
    </div>
  );
}

interface TallyPartProps {
  readonly icon: IconName;
  readonly number: number;
  readonly word: string;
}

function TallyPart({ icon, number, word }: TallyPartProps) {
  return (
    <span className="flex items-center gap-1.5 text-15 font-semibold whitespace-nowrap">
      <Icon name={icon} />
      <span className="min-w-[1.2ch] text-right">{number}</span> <span className="font-normal text-ink-2">{word}</span>
    </span>
  );
}

function Sentence() {
  const { clock } = useLiveParts();
  const second = useNow(1_000);
  const newest = useLiveShape(({ view, status, policySwitch }) =>
    nowSentence(view, status, policySwitch, Math.max(second, clock.now())),
  );
  // A sentence of another kind is shown at once: it must not disagree with the tally beside it.
  const shown = useCalm(newest.text, newest.kind);
  const announced = useCalm(newest.text, "any");
  return (
    <p className="flex min-w-0 items-center gap-2 text-13" title={shown}>
      {newest.kind === "failure" && (
        <span className="text-bad">
          <Icon name="warning" />
        </span>
      )}
      <span className="truncate">{shown}</span>
      <span className="sr-only" role="status" aria-live="polite">
        {announced}
      </span>
    </p>
  );
}

/** Opens the decision behind the sentence. */
function WhyButton() {
  const parts = useLiveParts();
  const decision = useLive((state) => (state.inspected === null ? decisionInQuestion(state) : null));
  if (decision === null) return null;
  return (
    <button type="button" className="button bare h-7" onClick={() => inspect(parts, decision)}>
      <span className="underline underline-offset-2">Why</span> <kbd>I</kbd>
    </button>
  );
}

/** Lets a text change at most once in two seconds, so that it can be read and is not read out without end; a new kind at once. */
function useCalm(newest: string, kind: string): string {
  const [shown, setShown] = useState({ text: newest, kind });
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  if (shown.kind !== kind) setShown({ text: newest, kind });
  useEffect(() => {
    if (newest === shown.text) return;
    const wait = Math.max(0, changedAt.current + CHANGE_AT_MOST_EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      changedAt.current = performance.now();
      setShown({ text: newest, kind });
    }, wait);
    return () => clearTimeout(timer);
  }, [newest, kind, shown]);
  return shown.text;
}
