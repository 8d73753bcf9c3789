/** A bar over all that is kept in memory: wherever its knob stands, every panel shows that moment. */
import { useLive, useLiveParts, useNow } from "../../store/live-context";
import { goLive, goToTime } from "../../store/navigate";
import { age } from "../../words/figures";

export function Scrubber() {
  const parts = useLiveParts();
  const { store, clock } = parts;
  const paused = useLive((state) => state.cursor !== null);
  const recorded = useLive(({ status }) => status.recording !== null);
  const shownMs = useLive((state) => (state.cursor === null ? null : state.view.atMs));
  useNow(1_000);
  const { history } = store.getState();
  const fromMs = Math.floor(history.timeOf(history.firstNumber));
  const toMs = Math.max(fromMs + 1, Math.ceil(history.timeOf(history.lastNumber)));
  const atMs = Math.min(toMs, shownMs ?? toMs);
  const back = Math.max(0, clock.serverNow() - atMs);
  const words = recorded ? age(atMs) : paused ? `${age(back)} ago` : "now";
  const goTo = (to: number) => (to >= toMs ? goLive(parts) : goToTime(parts, to));
  return (
    <label className="flex min-w-0 items-center gap-2 text-11 text-ink-2">
      <span className="sr-only">Moment shown</span>
      <input
        type="range"
        className="scrubber w-[clamp(80px,20vw,280px)]"
        data-testid="scrubber"
        min={fromMs}
        max={toMs}
        step={1}
        value={atMs}
        aria-valuetext={words}
        onChange={(event) => goTo(Number(event.target.value))}
      />
      <span className="w-20 flex-none whitespace-nowrap">{words}</span>
    </label>
  );
}
