/** Under the header while it is not the newest moment of a running server that is shown: which one, and how to go on. */
import { Icon } from "../drawing/icon";
import { useCommand, useLive, useLiveParts } from "../store/live-context";
import { goLive } from "../store/navigate";
import { age, count } from "../words/figures";

const LINE =
  "flex h-7 flex-none items-center gap-3 border-t-2 border-b border-t-ink-1 border-b-hairline bg-window px-4 text-12";

export function PausedLine() {
  const recording = useLive(({ status }) => status.recording);
  const paused = useLive((state) => state.cursor !== null);
  if (recording !== null) return <RecordedLine />;
  return paused ? <PastLine /> : null;
}

function PastLine() {
  const parts = useLiveParts();
  const atMs = useLive(({ view }) => view.atMs);
  const number = useLive((state) => state.cursor ?? 0);
  return (
    <div role="status" data-testid="paused-line" className={LINE}>
      <b className="font-semibold whitespace-nowrap">Paused at {age(atMs)}</b>
      <span className="min-w-0 flex-1 truncate text-ink-2">
        Event {count(number)}. The server goes on; all panels show this moment. Left and Right go by event, J and K by
        decision.
      </span>
      <button type="button" className="button bare h-6" onClick={() => goLive(parts)}>
        Go live <kbd>Space</kbd>
      </button>
    </div>
  );
}

/** A recording: nothing ticks, and nothing can be changed. */
function RecordedLine() {
  const send = useCommand();
  const recording = useLive(({ status }) => status.recording);
  const atMs = useLive(({ view }) => view.atMs);
  const number = useLive(({ view }) => view.eventNumber);
  const last = useLive(({ history }) => history.lastNumber);
  if (recording === null) return null;
  return (
    <div role="status" data-testid="recorded-line" className={LINE}>
      <b className="flex min-w-0 items-center gap-2 font-semibold whitespace-nowrap">
        <Icon name="file" small />
        <span className="truncate">
          {recording.simulated ? "Simulated, recorded" : "Recorded"}: {recording.name}
        </span>
      </b>
      {recording.problem !== null && (
        <span className="flex min-w-0 items-center gap-1" title={recording.problem}>
          <span className="text-bad">
            <Icon name="warning" small />
          </span>
          <span className="truncate">{recording.problem}</span>
        </span>
      )}
      <span className="min-w-0 flex-1 truncate text-ink-2">
        Event {count(number)} of {count(last)}, at {age(atMs)}. Left and Right go by event, J and K by decision.
      </span>
      <button type="button" className="button bare h-6" onClick={() => void send((to) => to.closeRecording())}>
        Close
      </button>
    </div>
  );
}
